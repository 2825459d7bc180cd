-- What is wrong with one cell by itself: null when nothing is, else type and words.
-- Everything is still text here, so that one bad cell hides no other.
create or replace function office.cell_fault(
  p_value text,
  p_kind text,
  p_is_required boolean,
  p_maximum integer
)
returns text[]
language plpgsql
immutable
parallel safe
set search_path = ''
as $$
begin
  if p_value is null then
    return case when p_is_required then array['missing', 'required'] end;
  end if;

  return case p_kind
    when 'text' then
      case when char_length(p_value) > p_maximum
        then array['string_too_long', format('at most %s characters', p_maximum)]
      end
    when 'boolean' then
      case when lower(p_value) not in ('true', 'false', '1', '0', 'yes', 'no')
        then array['boolean_type', 'must be true or false']
      end
    when 'amount' then
      case when p_value !~ '^[0-9]{1,10}([.][0-9]{1,2})?$'
        then array['decimal', 'must be an amount such as 450.00, with at most two decimals']
      end
    when 'integer' then
      case when p_value !~ '^[0-9]{1,9}$' or p_value::integer > p_maximum
        then array['int_range', format('must be a whole number from 0 to %s', p_maximum)]
      end
    when 'date' then
      case when p_value !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' or not pg_input_is_valid(p_value, 'date')
        then array['date', 'must be a date such as 2026-03-31']
      end
    when 'state' then
      case when not reference.is_state(upper(p_value))
        then array['state', 'must be the two letters of a US state, DC or a territory']
      end
  end;
end;
$$;

revoke all on function office.cell_fault(text, text, boolean, integer) from public;
grant execute on function office.cell_fault(text, text, boolean, integer) to svc_office;
comment on function office.cell_fault(text, text, boolean, integer) is
'Type and words of what is wrong with a cell of a kind; null when nothing is.';
