-- The same as before, without what a group does not need, and never by reading a table whole.

-- The plans of these statements are made once for each connection, when tables may still be nearly empty, and then kept: what is planned as reading a
-- small table whole becomes slower with every row, until the table is analysed. The checks of foreign keys are planned within, too.

CREATE OR REPLACE FUNCTION claim_every_key(operations operation[])
 RETURNS jsonb[]
 LANGUAGE plpgsql
AS $$
DECLARE
  claimed bigint[];
BEGIN
  WITH first AS (
    SELECT DISTINCT ON (actor_id, key) actor_id, key, request_hash, reference_id, (investment).duration_seconds, ordinality
    FROM unnest(operations) WITH ORDINALITY
    WHERE key IS NOT NULL
    ORDER BY actor_id, key, ordinality
  ), claim AS (
    INSERT INTO idempotency_keys (actor_id, key, request_hash, outcome)
    SELECT actor_id, key, request_hash, operation_succeeded(reference_id, duration_seconds) FROM first ORDER BY actor_id, key
    ON CONFLICT DO NOTHING
    RETURNING actor_id, key
  )
  SELECT array_agg(first.ordinality) INTO claimed FROM first JOIN claim USING (actor_id, key);

  -- Usually all of them are new.
  IF cardinality(claimed) = cardinality(operations) THEN RETURN array_fill(NULL::jsonb, ARRAY[cardinality(operations)]); END IF;

  RETURN ARRAY(
    SELECT CASE
      WHEN o.key IS NULL OR o.ordinality = ANY (claimed) THEN NULL
      WHEN k.request_hash <> o.request_hash THEN jsonb_build_object('refused', 'keyReused')
      -- Repeated within this very group: the outcome is not known yet, so the position to copy it from is noted.
      WHEN f.ordinality = ANY (claimed) THEN jsonb_build_object('sameAs', f.ordinality)
      ELSE k.outcome
    END
    FROM unnest(operations) WITH ORDINALITY AS o
    LEFT JOIN idempotency_keys AS k ON k.actor_id = o.actor_id AND k.key = o.key
    LEFT JOIN (
      SELECT actor_id, key, min(ordinality) AS ordinality FROM unnest(operations) WITH ORDINALITY WHERE key IS NOT NULL GROUP BY actor_id, key
    ) AS f ON f.actor_id = o.actor_id AND f.key = o.key
    ORDER BY o.ordinality
  );
END $$;

CREATE OR REPLACE FUNCTION lock_states(operations operation[], fresh boolean[], OUT named_at bigint[], OUT state text[])
 RETURNS record
 LANGUAGE plpgsql
AS $$
DECLARE
  ids    uuid[];
  states text[];
BEGIN
  -- Most groups decide nothing and complete nothing.
  IF NOT EXISTS (SELECT FROM unnest(operations) WHERE (decision).transaction_id IS NOT NULL OR completes IS NOT NULL) THEN
    named_at := ARRAY(SELECT generate_series(1, cardinality(operations)));
    RETURN;
  END IF;

  SELECT array_agg(id), array_agg(status) INTO ids, states FROM (
    SELECT id, status FROM transactions
    WHERE id = ANY (ARRAY(SELECT (decision).transaction_id FROM unnest(operations) WITH ORDINALITY WHERE fresh[ordinality]))
    ORDER BY id FOR NO KEY UPDATE
  ) AS locked;

  SELECT ids || array_agg(id), states || array_agg(due) INTO ids, states FROM (
    SELECT id, CASE WHEN status = 'ACTIVE' AND matures_at <= now() THEN 'MATURED' ELSE status END AS due FROM investments
    WHERE id = ANY (ARRAY(SELECT completes FROM unnest(operations) WITH ORDINALITY WHERE fresh[ordinality]))
    ORDER BY id FOR NO KEY UPDATE
  ) AS locked;

  SELECT array_agg(first ORDER BY ordinality), array_agg(known.state ORDER BY ordinality) INTO named_at, state
  FROM (
    SELECT ordinality, coalesce((decision).transaction_id, completes) AS id,
      min(ordinality) OVER (PARTITION BY (decision).transaction_id, completes) AS first
    FROM unnest(operations) WITH ORDINALITY
  ) AS named LEFT JOIN unnest(ids, states) AS known (id, state) USING (id);
END $$;

CREATE OR REPLACE FUNCTION post_operations(batch json)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO off
AS $$
DECLARE
  operations operation[] := ARRAY(SELECT o FROM json_populate_recordset(NULL::operation, batch) AS o);
  outcomes   jsonb[] := claim_keys(operations);
  fresh      boolean[] := ARRAY(SELECT outcome IS NULL FROM unnest(outcomes) WITH ORDINALITY AS o (outcome, at) ORDER BY at);
  accepted   boolean[];
  named_at   bigint[];
  state      text[];
  owners     uuid[];
  kinds      text[];
  balances   bigint[];
  sources    bigint[]; -- leg by leg over all operations: the place of its two accounts in `balances`
  targets    bigint[];
  leg        integer := 0;
  this       operation;
  refused    jsonb;
  wallets_of jsonb;
  decides    boolean := EXISTS (SELECT FROM unnest(operations) WHERE (decision).transaction_id IS NOT NULL);
  objections text[];  -- to decisions, by position
  approvals  jsonb;   -- of withdrawals that need more than one
  approvers  jsonb;
  missing    integer;
  evidence   text;
  corrected  boolean := false; -- whether an outcome differs from the plain success that claim_keys wrote
  used       text[] := '{}'; -- evidence that this group has accepted
BEGIN
  SELECT s.named_at, s.state INTO named_at, state FROM lock_states(operations, fresh) AS s;
  IF decides THEN
    objections := refuse_decisions(operations, fresh);
    approvals := approvals_so_far(operations, fresh);
  END IF;
  SELECT a.owners, a.kinds, a.balances INTO owners, kinds, balances FROM lock_accounts(operations, fresh) AS a;
  IF EXISTS (SELECT FROM unnest(operations) WHERE (transaction).takes_wallet) THEN wallets_of := assign_wallets(operations, fresh); END IF;

  SELECT array_agg(s.at ORDER BY o.ordinality, l.ordinality), array_agg(t.at ORDER BY o.ordinality, l.ordinality) INTO sources, targets
  FROM unnest(operations) WITH ORDINALITY AS o
  CROSS JOIN LATERAL unnest(o.legs) WITH ORDINALITY AS l
  LEFT JOIN unnest(owners, kinds) WITH ORDINALITY AS s (owner, kind, at) ON s.kind = l.from_kind AND s.owner = account_owner(o.owner_id, l.from_kind)
  LEFT JOIN unnest(owners, kinds) WITH ORDINALITY AS t (owner, kind, at) ON t.kind = l.to_kind AND t.owner = account_owner(o.owner_id, l.to_kind);

  FOR i IN 1 .. coalesce(cardinality(operations), 0) LOOP
    this := operations[i];
    accepted[i] := false;
    IF NOT fresh[i] THEN
      IF outcomes[i] ? 'sameAs' THEN outcomes[i] := outcomes[(outcomes[i] ->> 'sameAs')::integer]; END IF;
      leg := leg + coalesce(cardinality(this.legs), 0);
      CONTINUE;
    END IF;

    missing := 0;
    IF decides THEN
      evidence := (this.decision).evidence_network || ' ' || (this.decision).evidence;
      approvers := approvals -> (this.decision).transaction_id::text -> 'by';
    END IF;
    refused := CASE
      WHEN (this.decision).transaction_id IS NOT NULL AND state[named_at[i]] IS DISTINCT FROM 'PENDING'
        THEN jsonb_build_object('refused', 'alreadyDecided', 'status', state[named_at[i]])
      WHEN objections[i] IS NOT NULL THEN jsonb_build_object('refused', objections[i])
      WHEN evidence = ANY (used) THEN '{"refused": "evidenceUsed"}'
      WHEN (this.decision).status = 'APPROVED' AND approvers ? (this.decision).decided_by::text THEN '{"refused": "approvedAlready"}'
      WHEN this.completes IS NOT NULL AND state[named_at[i]] IS DISTINCT FROM 'MATURED' THEN '{"refused": "notMatured"}'
      WHEN (this.transaction).takes_wallet AND wallets_of -> this.owner_id::text IS NULL THEN '{"refused": "noWalletAvailable"}'
    END;

    IF refused IS NULL AND (this.decision).status = 'APPROVED' AND approvers IS NOT NULL THEN
      missing := (approvals -> (this.decision).transaction_id::text ->> 'needed')::integer - jsonb_array_length(approvers) - 1;
      IF missing > 0 THEN
        -- Written as an approval that leaves the withdrawal PENDING and moves nothing.
        leg := leg + cardinality(this.legs);
        this.legs := '{}';
        this.decision.status := 'PENDING';
        operations[i] := this;
      END IF;
    END IF;

    FOR j IN 1 .. coalesce(cardinality(this.legs), 0) LOOP
      leg := leg + 1;
      CONTINUE WHEN refused IS NOT NULL;
      IF sources[leg] IS NULL OR targets[leg] IS NULL THEN
        refused := '{"refused": "noAccount"}';
      ELSIF balances[sources[leg]] < this.legs[j].amount THEN
        refused := jsonb_build_object('refused', 'short', 'kind', kinds[sources[leg]], 'balance', balances[sources[leg]]::text);
      ELSE
        balances[sources[leg]] := balances[sources[leg]] - this.legs[j].amount;
        balances[targets[leg]] := balances[targets[leg]] + this.legs[j].amount;
        CONTINUE;
      END IF;
      -- Refused at this leg: the legs before it never happened.
      FOR back IN 1 .. j - 1 LOOP
        balances[sources[leg - back]] := balances[sources[leg - back]] + this.legs[j - back].amount;
        balances[targets[leg - back]] := balances[targets[leg - back]] - this.legs[j - back].amount;
      END LOOP;
    END LOOP;

    IF refused IS NOT NULL THEN
      outcomes[i] := refused;
      corrected := true;
      CONTINUE;
    END IF;
    accepted[i] := true;
    state[named_at[i]] := coalesce((this.decision).status, 'COMPLETED');
    outcomes[i] := operation_succeeded(this.reference_id, (this.investment).duration_seconds);
    IF missing > 0 THEN
      approvals := jsonb_set(approvals, ARRAY[(this.decision).transaction_id::text, 'by'], approvers || to_jsonb((this.decision).decided_by));
      outcomes[i] := outcomes[i] || jsonb_build_object('missing', missing);
      corrected := true;
    END IF;
    IF evidence IS NOT NULL THEN used := used || evidence; END IF;
    IF (this.transaction).takes_wallet THEN
      outcomes[i] := outcomes[i] || (wallets_of -> this.owner_id::text);
      corrected := true;
    END IF;
  END LOOP;

  PERFORM write_operations(operations, accepted);

  IF NOT corrected THEN RETURN to_jsonb(outcomes); END IF;
  -- claim_keys wrote the plain success; what came out otherwise is put right. That no wallet is free today is no answer for good: that key is free again.
  DELETE FROM idempotency_keys AS k USING unnest(operations) WITH ORDINALITY AS o
  WHERE fresh[o.ordinality] AND outcomes[o.ordinality] ->> 'refused' = 'noWalletAvailable' AND k.actor_id = o.actor_id AND k.key = o.key;

  UPDATE idempotency_keys AS k SET outcome = outcomes[o.ordinality]
  FROM unnest(operations) WITH ORDINALITY AS o
  WHERE fresh[o.ordinality] AND (NOT accepted[o.ordinality] OR (o.transaction).takes_wallet OR outcomes[o.ordinality] ? 'missing')
    AND k.actor_id = o.actor_id AND k.key = o.key;

  RETURN to_jsonb(outcomes);
END $$;
