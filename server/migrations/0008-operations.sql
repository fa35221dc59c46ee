-- A money operation as the server hands it to post_operations: the legs of one movement and the rows
-- that change with it.

CREATE TYPE operation_leg AS (from_kind text, to_kind text, amount bigint);

CREATE TYPE operation_transaction AS (
  id                  uuid,
  type                text,
  amount              bigint,
  status              text,
  description         text,
  destination_address text,
  investment_id       uuid,
  takes_wallet        boolean,
  destination_network text,
  approvals_needed    smallint
);

CREATE TYPE operation_investment AS (
  id                uuid,
  principal         bigint,
  rate_basis_points integer,
  interest          bigint,
  duration_days     integer,
  duration_seconds  bigint
);

CREATE TYPE operation_contribution AS (id uuid, amount bigint, note text, contributed_by text);

CREATE TYPE operation_decision AS (
  transaction_id   uuid,
  status           text,
  decided_by       uuid,
  reason           text,
  source           text,
  evidence_network text,
  evidence         text
);

CREATE TYPE operation AS (
  movement     text,
  reference_id uuid,
  -- The user whose available, held and invested accounts the legs mean; other kinds are the pool's.
  owner_id     uuid,
  legs         operation_leg[],
  -- Who may repeat this, under which key, for which request; NULL where nobody asked for it.
  actor_id     uuid,
  key          text,
  request_hash text,
  -- Rows that are written with the movement.
  transaction  operation_transaction,
  investment   operation_investment,
  contribution operation_contribution,
  -- Rows that change state with it: a PENDING transaction, an ACTIVE investment that has matured.
  decision     operation_decision,
  completes    uuid
);
