-- Nodes of 1.0.0 call this one beside newer nodes.
CREATE OR REPLACE FUNCTION admit_registration(source bytea, most integer)
  RETURNS integer LANGUAGE sql AS $$
  SELECT admit_within(source, most, interval '1 hour')
$$;
