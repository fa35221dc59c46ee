ALTER TABLE sessions ADD COLUMN mac text, ADD COLUMN factor_mac text;
COMMENT ON COLUMN sessions.mac IS
  'Signs token, user and start by the key file (server/sessions). NULL in rows of nodes of 1.0.0.';
COMMENT ON COLUMN sessions.factor_mac IS 'Signs the proof at factor_at in the same way.';
