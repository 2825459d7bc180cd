-- The columns of each file that the office imports, and what a cell may hold. The one
-- list: headers, cells and the command's help are checked and built from it.
-- `maximum`: characters of a text, else the highest number.
create or replace function office.import_columns(p_file text)
returns table (name text, kind text, is_required boolean, maximum integer)
language sql
immutable
parallel safe
set search_path = ''
as $$
  select columns.name, columns.kind, columns.is_required, columns.maximum
  from (values
    ('products', 1, 'code', 'text', true, 64),
    ('products', 2, 'name', 'text', true, 200),
    ('products', 3, 'is_active', 'boolean', true, null),
    ('appraisers', 1, 'external_reference', 'text', true, 120),
    ('appraisers', 2, 'name', 'text', true, 200),
    ('appraisers', 3, 'is_active', 'boolean', true, null),
    ('appraisers', 4, 'is_default', 'boolean', true, null),
    ('coverage', 1, 'appraiser', 'text', true, 120),
    ('coverage', 2, 'state', 'state', true, null),
    ('coverage', 3, 'county', 'text', false, 120),
    ('coverage', 4, 'product_code', 'text', false, 64),
    ('fees', 1, 'appraiser', 'text', true, 120),
    ('fees', 2, 'product_code', 'text', false, 64),
    ('fees', 3, 'state', 'state', false, null),
    ('fees', 4, 'county', 'text', false, 120),
    ('fees', 5, 'fee', 'amount', true, null),
    ('fees', 6, 'turnaround_days', 'integer', true, 3650),
    ('orders', 1, 'order_number', 'text', true, 120),
    ('orders', 2, 'status', 'text', true, 120),
    ('orders', 3, 'channel', 'text', true, 120),
    ('orders', 4, 'due_date', 'date', false, null),
    ('orders', 5, 'fee', 'amount', false, null),
    ('orders', 6, 'loan_number', 'text', false, 120),
    ('orders', 7, 'client_tracking_number', 'text', false, 120),
    ('orders', 8, 'property_address', 'text', true, 300),
    ('orders', 9, 'property_city', 'text', false, 120),
    ('orders', 10, 'property_state', 'state', false, null),
    ('orders', 11, 'property_postal', 'text', false, 20),
    ('orders', 12, 'property_county', 'text', false, 120),
    ('orders', 13, 'engaging_client_external_reference', 'text', true, 120),
    ('orders', 14, 'lender_external_reference', 'text', false, 120)
  ) as columns (file, place, name, kind, is_required, maximum)
  where columns.file = p_file
  order by columns.place;
$$;

revoke all on function office.import_columns(text) from public;
grant execute on function office.import_columns(text) to svc_office;
comment on function office.import_columns(text) is
'Columns of products, appraisers, coverage, fees or orders files; none for another name.';
