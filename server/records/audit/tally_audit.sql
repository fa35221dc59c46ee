-- The kind of an entry in the tallies: that of an agreement follows its action.
CREATE OR REPLACE FUNCTION audit_kind(action text, after jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT concat_ws(' ', action, CASE WHEN action LIKE 'agreement.%' THEN after ->> 'kind' END)
$$;
CREATE OR REPLACE FUNCTION tally_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tally(ARRAY(SELECT ('audit', utc_day(created_at), audit_kind(action, after), '', count(*), 0, 0)::tally_change FROM come GROUP BY utc_day(created_at), audit_kind(action, after)));
  RETURN NULL;
END $$;
