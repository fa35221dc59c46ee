CREATE TABLE chains (
  network_name text PRIMARY KEY,
  state        text NOT NULL,
  words        text NOT NULL DEFAULT '',
  since        timestamptz NOT NULL DEFAULT now(),
  checked_at   timestamptz NOT NULL DEFAULT now(),
  height       bigint,
  head_hash    text,
  height_since timestamptz,
  final_height bigint,
  final_since  timestamptz,
  followed_since timestamptz,
  confirmed    text
);
COMMENT ON TABLE chains IS
  'The state of each network as the operator''s node tells it. No row before the first look.';
COMMENT ON COLUMN chains.words IS 'Why the state is not FINE. Never has a URL or a password.';
COMMENT ON COLUMN chains.height_since IS 'The moment at which the newest block was first seen.';
COMMENT ON COLUMN chains.followed_since IS
  'The moment from which payments are read. Staff confirm earlier ones by hand.';
COMMENT ON COLUMN chains.confirmed IS
  'The settings that the node confirmed once (server/nodes/settings.ts). A start asks about others.';
