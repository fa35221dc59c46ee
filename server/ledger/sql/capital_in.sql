-- The operator's part of what a loan owes, rounded down to the cent, as `capitalIn` has it.
CREATE OR REPLACE FUNCTION capital_in(loan loans, owed bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT div((loan.principal - loan.from_investors)::numeric * owed, loan.principal)::bigint
$$;

-- Cents of investors' principal that borrowers owe.
CREATE OR REPLACE FUNCTION lent_principal() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(outstanding - capital_in(l, outstanding)), 0)::bigint FROM loans AS l WHERE from_investors > 0 AND outstanding > 0
$$;

-- Cents of loans that a batch is to pay, as coins that are about to leave. The pool's account
-- `sending` has the operator's part of it alone.
CREATE OR REPLACE FUNCTION reserved_principal() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(principal), 0)::bigint FROM loan_sendings WHERE status = 'OPEN'
$$;
