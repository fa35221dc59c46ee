-- Nodes of 1.0.0 call these beside newer nodes.
CREATE OR REPLACE FUNCTION admit_login(pair bytea, username bytea, ip bytea)
  RETURNS integer LANGUAGE sql AS $$
  SELECT admit_sign_in(pair, username, ip, NULL)
$$;
CREATE OR REPLACE FUNCTION login_succeeded(pair bytea, username bytea, ip bytea)
  RETURNS void LANGUAGE sql AS $$
  SELECT sign_in_succeeded(pair, username, ip, NULL)
$$;
