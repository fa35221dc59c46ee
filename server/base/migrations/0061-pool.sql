-- The public figures of the pool, counted by a job, and the daily files of its loans.
CREATE TABLE pool_figures (
  single  boolean PRIMARY KEY DEFAULT true CHECK (single),
  at      timestamptz NOT NULL,
  took_ms integer NOT NULL CHECK (took_ms >= 0),
  mark    text NOT NULL,
  form    integer NOT NULL,
  figures jsonb NOT NULL
);
COMMENT ON TABLE pool_figures IS 'The newest figures that everybody reads, in one row.';
COMMENT ON COLUMN pool_figures.at IS 'The moment of the snapshot that they were counted in.';
COMMENT ON COLUMN pool_figures.took_ms IS 'The count rests for twenty times as long.';
COMMENT ON COLUMN pool_figures.mark IS 'It changes with what is counted, so that a count without news is left out.';
COMMENT ON COLUMN pool_figures.form IS 'The form of the figures. A release that reads another one counts again.';

CREATE TABLE pool_tapes (
  day    date PRIMARY KEY,
  loans  integer NOT NULL CHECK (loans >= 0),
  size   bigint NOT NULL CHECK (size > 0),
  digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  file   bytea NOT NULL,
  at     timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE pool_tapes IS 'The file of all loans of each day. None is changed or deleted.';
COMMENT ON COLUMN pool_tapes.day IS 'In UTC.';
COMMENT ON COLUMN pool_tapes.digest IS 'SHA-256 of the file, in hex.';
COMMENT ON COLUMN pool_tapes.file IS 'The CSV, by gzip.';
ALTER TABLE pool_tapes ALTER COLUMN file SET STORAGE EXTERNAL;
