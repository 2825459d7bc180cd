-- Common forms of a type, as text.
create or replace function audit.sample_texts(p_type oid, p_salt text)
returns text[]
language sql
volatile
set search_path = ''
as $$
  select case
    when typcategory = 'E' then array(select enumlabel from pg_enum where enumtypid = p_type)
    when typcategory = 'B' then array['true', 'false']
    when typcategory = 'N' then array['1', '0', '100', '1000', '-1']
    when typcategory = 'D' then array[now()::text, current_date::text, localtime::text]
    when typcategory = 'T' then array['1 day']
    when typcategory = 'I' then array['192.0.2.1', '192.0.2.0/24']
    when typcategory = 'R' then array['empty']
    when typname = 'uuid' then array[gen_random_uuid()::text]
    when typname = 'bytea' then array[
      sha256(convert_to(p_salt, 'utf8'))::text, '\x00', sha512(convert_to(p_salt, 'utf8'))::text
    ]
    when typname in ('json', 'jsonb') then array[
      '{}', '[]', '[{}]', '["audit"]', '{"audit": 1}', '""', '0'
    ]
    else array[
      'audit ' || p_salt,
      p_salt,
      'https://' || p_salt || '.example.com/',
      p_salt || '@example.com',
      '(212) 555-0123',
      '+12125550123',
      'CA',
      'USD',
      '90001',
      '1',
      'svc_test_0000',
      'application/pdf',
      '2026-01-01',
      encode(sha256(convert_to(p_salt, 'utf8')), 'hex'),
      'A',
      ''
    ]
  end
  from pg_type
  where oid = p_type;
$$;

revoke all on function audit.sample_texts(oid, text) from public;
comment on function audit.sample_texts(oid, text) is 'Common forms of a type, as text.';
