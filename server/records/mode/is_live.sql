-- True for a pool of real coins.
CREATE OR REPLACE FUNCTION is_live() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM pool_mode WHERE mode = 'live')
$$;
