-- Pauses that ended, since days of a pause do not count in those after which balances hold back no
-- capital (docs/decisions/072).
CREATE TABLE ended_pauses (
  id       uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name     text NOT NULL REFERENCES pauses,
  began_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  CONSTRAINT ended_pauses_end_later CHECK (ended_at >= began_at)
);
COMMENT ON TABLE ended_pauses IS 'Pauses that ended, each with both ends. A trigger writes them.';
