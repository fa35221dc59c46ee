-- Nodes of 1.0.0 call this one beside newer nodes.
CREATE OR REPLACE FUNCTION assign_wallets(owners uuid[], sources bytea[], per_ip integer[], per_hour integer[])
  RETURNS jsonb[] LANGUAGE sql AS $$
  SELECT assign_wallets(owners, array_fill(NULL::text, ARRAY[cardinality(owners)]), sources, per_ip, per_hour)
$$;
