-- Adds a link that a node of 1.0.0 writes to one of the old tables, which are views now.
CREATE OR REPLACE FUNCTION add_link_by_old_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO links (id, kind, user_id, address, token_digest, expires_at)
  SELECT NEW.id, CASE TG_TABLE_NAME WHEN 'email_links' THEN NEW.kind WHEN 'password_resets' THEN 'RESET'
      ELSE CASE WHEN NEW.email IS NULL THEN 'FREEZE' ELSE 'GIVE_BACK' END END,
    u.id, coalesce(NEW.email, u.username), NEW.token_digest, NEW.expires_at
  FROM users AS u WHERE u.id = NEW.user_id;
  RETURN NEW;
END $$;
