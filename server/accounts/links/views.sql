-- Nodes of 1.0.0 know the links by these names.
CREATE OR REPLACE VIEW email_links AS
  SELECT id, user_id, kind, address AS email, token_digest, created_at, expires_at, ended_at AS used_at
  FROM links WHERE kind IN ('CONFIRM', 'CHANGE');

CREATE OR REPLACE VIEW freeze_links AS
  SELECT id, user_id, kind,
    CASE WHEN kind = 'GIVE_BACK' THEN address END AS email, token_digest, created_at, expires_at, ended_at AS used_at
  FROM links WHERE kind IN ('FREEZE', 'GIVE_BACK');

CREATE OR REPLACE VIEW password_resets AS
  SELECT id, user_id, kind, address AS email, token_digest, created_at, expires_at, ended_at AS used_at
  FROM links WHERE kind = 'RESET';
