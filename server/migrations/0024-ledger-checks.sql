-- What the hourly recomputation of the ledger found, on whichever node it ran. NULL as the finding: it was whole.
CREATE TABLE ledger_checks (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  checked_at timestamptz NOT NULL DEFAULT now(),
  accounts   integer NOT NULL,
  transfers  bigint NOT NULL,
  finding    text
);
