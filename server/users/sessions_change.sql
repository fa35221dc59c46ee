CREATE OR REPLACE FUNCTION sessions_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM outwait_session_caches();
  RETURN NULL;
END $$;

-- Nobody has a session of an account that is made in this very transaction.
CREATE OR REPLACE FUNCTION roles_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM changed JOIN users ON users.id = changed.user_id WHERE users.created_at <> now()) THEN PERFORM outwait_session_caches(); END IF;
  RETURN NULL;
END $$;
