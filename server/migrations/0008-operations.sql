CREATE TYPE operation_leg AS (from_kind text, to_kind text, amount bigint);
COMMENT ON TYPE operation_leg IS 'From one account to another, by their kinds. In cents.';

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
COMMENT ON TYPE operation_transaction IS 'A transaction that is written with the movement.';
COMMENT ON COLUMN operation_transaction.takes_wallet IS
  'The owner''s wallet is its address; without one they are given the oldest available.';

CREATE TYPE operation_investment AS (
  id                uuid,
  principal         bigint,
  rate_basis_points integer,
  interest          bigint,
  duration_days     integer,
  duration_seconds  bigint
);
COMMENT ON TYPE operation_investment IS 'An investment that is written with the movement.';
COMMENT ON COLUMN operation_investment.duration_seconds IS
  'Days can be shortened for demonstrations, so both are said.';

CREATE TYPE operation_contribution AS (id uuid, amount bigint, note text, contributed_by text);
COMMENT ON TYPE operation_contribution IS 'A contribution that is written with the movement.';

CREATE TYPE operation_decision AS (
  transaction_id   uuid,
  status           text,
  decided_by       uuid,
  reason           text,
  source           text,
  evidence_network text,
  evidence         text
);
COMMENT ON TYPE operation_decision IS 'Ends a PENDING transaction with the movement.';
COMMENT ON COLUMN operation_decision.source IS 'The address of the client, for the audit trail.';

CREATE TYPE operation AS (
  movement     text,
  reference_id uuid,
  owner_id     uuid,
  legs         operation_leg[],
  actor_id     uuid,
  key          text,
  request_hash text,
  transaction  operation_transaction,
  investment   operation_investment,
  contribution operation_contribution,
  decision     operation_decision,
  completes    uuid
);
COMMENT ON TYPE operation IS
  'A money operation as post_operations takes it: the legs of one movement, and the rows with it.';
COMMENT ON COLUMN operation.reference_id IS 'What the transfers are for, and what is answered.';
COMMENT ON COLUMN operation.owner_id IS
  'The user whose available, held and invested accounts the legs mean; others are the pool''s.';
COMMENT ON COLUMN operation.actor_id IS 'Who may repeat it. NULL: nobody asked for it.';
COMMENT ON COLUMN operation.key IS 'The idempotency key under which it may be repeated.';
COMMENT ON COLUMN operation.request_hash IS 'Of the request, which a repeat must equal.';
COMMENT ON COLUMN operation.completes IS 'An ACTIVE investment that has matured.';
