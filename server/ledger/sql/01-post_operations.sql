-- Group commit: answers each `operation` of a JSON list in order, as if it were alone. An outcome
-- is operation_succeeded, or {"refused": code, …facts} by contract/refusals.ts.
CREATE OR REPLACE FUNCTION post_operations(batch json)
  RETURNS jsonb LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  operations operation[] := ARRAY(SELECT o FROM json_populate_recordset(NULL::operation, batch) AS o);
  outcomes   jsonb[] := claim_keys(operations);
  fresh      boolean[] := ARRAY(SELECT outcome IS NULL FROM unnest(outcomes) WITH ORDINALITY AS o (outcome, at) ORDER BY at);
  accepted   boolean[] := array_fill(false, ARRAY[cardinality(operations)]);
  this       record;
  refused    jsonb;
  -- The named accounts, by place.
  ids        bigint[];
  owners     uuid[];
  kinds      text[];
  balances   bigint[];
  -- The legs of all operations in order: the places of their accounts, and their amounts.
  sources    bigint[];
  targets    bigint[];
  amounts    bigint[];
  movements  text[];
  causes     uuid[];
  first      integer := 1; -- first leg of this operation
  final      integer := 0; -- last leg
  moved      integer;      -- last leg that its money allowed
  -- Only some groups have decisions, completions, or deposits that need a wallet.
  decides    boolean := EXISTS (SELECT FROM unnest(operations) WHERE (decision).transaction_id IS NOT NULL);
  names      boolean := decides OR EXISTS (SELECT FROM unnest(operations) WHERE completes IS NOT NULL);
  wallets    jsonb[]; -- of deposit requests, by position: the wallet or the refusal
  named_at   bigint[];
  state      text[];
  objections text[]; -- to decisions, by position
  approvals  jsonb;  -- of the transactions that this group approves
  approval   jsonb;
  alone      jsonb;  -- sums that one person decided alone in 24 hours, and the limits
  needed     integer; -- approvals that this decision needs
  missing    integer; -- approvals still missing
  evidence   text;
  used       jsonb := '{}'; -- evidence accepted in this group, with its transaction
  corrected  boolean := false; -- an outcome is not the plain success that claim_keys wrote
BEGIN
  -- Keys are claimed. Next come the locks, in one order for all processes and each kind by id:
  -- transactions, investments, deciding people, accounts.
  IF names THEN SELECT s.named_at, s.state INTO named_at, state FROM lock_states(operations, fresh) AS s; END IF;
  IF decides THEN
    objections := refuse_decisions(operations, fresh);
    approvals := approvals_so_far(operations, fresh);
    alone := sum_up_alone();
  END IF;
  SELECT a.ids, a.owners, a.kinds, a.balances INTO ids, owners, kinds, balances FROM lock_accounts(operations, fresh) AS a;
  IF EXISTS (SELECT FROM unnest(operations) WHERE (transaction).takes_wallet) THEN wallets := assign_wallets(operations, fresh); END IF;

  -- Places instead of ids, to keep balances in memory.
  SELECT array_agg(source), array_agg(target), array_agg(amount), array_agg(movement), array_agg(reference_id)
  INTO sources, targets, amounts, movements, causes FROM (
    SELECT s.at AS source, t.at AS target, l.amount, o.movement, o.reference_id
    FROM unnest(operations) WITH ORDINALITY AS o
    CROSS JOIN LATERAL unnest(o.legs) WITH ORDINALITY AS l
    LEFT JOIN unnest(owners, kinds) WITH ORDINALITY AS s (owner, kind, at) ON s.kind = l.from_kind AND s.owner = account_owner(o.owner_id, l.from_kind)
    LEFT JOIN unnest(owners, kinds) WITH ORDINALITY AS t (owner, kind, at) ON t.kind = l.to_kind
      AND t.owner = coalesce(l.to_owner, account_owner(o.owner_id, l.to_kind))
    ORDER BY o.ordinality, l.ordinality
  ) AS leg;

  -- Decides each operation, knowing the ones before it. Nothing is written.
  FOR this IN
    SELECT o.ordinality AS at, o.owner_id, o.reference_id, (o.investment).duration_seconds, (o.decision).*, o.completes, (o.transaction).takes_wallet,
      coalesce(cardinality(o.legs), 0) AS legs
    FROM unnest(operations) WITH ORDINALITY AS o ORDER BY o.ordinality
  LOOP
    first := final + 1;
    final := final + this.legs;
    IF NOT fresh[this.at] THEN
      IF outcomes[this.at] ? 'sameAs' THEN outcomes[this.at] := outcomes[(outcomes[this.at] ->> 'sameAs')::integer]; END IF;
      FOR leg IN first .. final LOOP sources[leg] := NULL; END LOOP; -- nothing moves again
      CONTINUE;
    END IF;

    -- A row's state, a missing right, approval or wallet refuses.
    refused := NULL;
    missing := 0;
    evidence := NULL;
    IF names OR wallets IS NOT NULL THEN
      evidence := this.evidence_network || ' ' || this.evidence;
      approval := approvals -> this.transaction_id::text;
      refused := CASE
        WHEN this.transaction_id IS NOT NULL AND state[named_at[this.at]] IS NULL THEN '{"refused": "transactionNotFound"}'
        WHEN this.transaction_id IS NOT NULL AND state[named_at[this.at]] <> 'PENDING'
          THEN jsonb_build_object('refused', 'alreadyDecided', 'status', state[named_at[this.at]])
        WHEN objections[this.at] IS NOT NULL THEN jsonb_build_object('refused', objections[this.at])
        WHEN this.payee_address <> approval ->> 'payee' THEN '{"refused": "payeeChanged"}'
        WHEN used ->> evidence <> this.transaction_id::text THEN '{"refused": "evidenceUsed"}'
        WHEN this.status = 'APPROVED' AND approval ->> 'evidence' <> this.evidence THEN '{"refused": "evidenceDiffers"}'
        WHEN this.status = 'APPROVED' AND approval -> 'by' ? this.decided_by::text THEN '{"refused": "approvedAlready"}'
        WHEN this.completes IS NOT NULL AND state[named_at[this.at]] IS DISTINCT FROM 'MATURED' THEN '{"refused": "notMatured"}'
        WHEN wallets[this.at] ? 'refused' THEN wallets[this.at]
      END;
      IF refused IS NULL AND this.status = 'APPROVED' THEN
        needed := CASE WHEN exceeds_limits(alone, this.decided_by, this.owner_id, amounts[first]) THEN 2 ELSE 1 END;
        -- A second person stays needed once one was.
        needed := greatest(needed, (approval ->> 'needed')::integer);
        missing := greatest(0, needed - jsonb_array_length(approval -> 'by') - 1);
      END IF;
    END IF;

    -- Missing money refuses. Money received earlier in the group can be spent.
    moved := first - 1;
    FOR leg IN first .. final LOOP
      EXIT WHEN refused IS NOT NULL OR missing > 0;
      IF sources[leg] IS NULL OR targets[leg] IS NULL THEN
        refused := '{"refused": "internal", "why": "names an account that was never opened"}';
      ELSIF balances[sources[leg]] < amounts[leg] THEN
        refused := CASE kinds[sources[leg]]
          WHEN 'available' THEN jsonb_build_object('refused', 'insufficientFunds', 'balance', balances[sources[leg]]::text)
          WHEN 'reserve' THEN '{"refused": "reserveExhausted"}'
          ELSE jsonb_build_object('refused', 'internal', 'why', format('found only %s cents in %s', balances[sources[leg]], kinds[sources[leg]]))
        END;
      ELSE
        balances[sources[leg]] := balances[sources[leg]] - amounts[leg];
        balances[targets[leg]] := balances[targets[leg]] + amounts[leg];
        moved := leg;
      END IF;
    END LOOP;
    IF refused IS NOT NULL OR missing > 0 THEN
      corrected := true;
      FOR leg IN first .. final LOOP
        -- A later leg was refused, so the legs before it are undone.
        IF leg <= moved THEN
          balances[sources[leg]] := balances[sources[leg]] + amounts[leg];
          balances[targets[leg]] := balances[targets[leg]] - amounts[leg];
        END IF;
        sources[leg] := NULL;
      END LOOP;
    END IF;

    IF refused IS NOT NULL THEN
      outcomes[this.at] := refused;
      CONTINUE;
    END IF;
    accepted[this.at] := true;
    outcomes[this.at] := operation_succeeded(this.reference_id, this.duration_seconds);
    CONTINUE WHEN NOT names AND wallets IS NULL;

    IF names THEN state[named_at[this.at]] := CASE WHEN missing > 0 THEN 'PENDING' ELSE coalesce(this.status, 'COMPLETED') END; END IF;
    IF evidence IS NOT NULL THEN used := used || jsonb_build_object(evidence, this.transaction_id); END IF;
    IF this.status = 'APPROVED' THEN
      operations[this.at].decision.needed := needed;
      operations[this.at].decision.payee_address := approval ->> 'payee';
      IF needed = 1 THEN alone := add_alone(alone, this.decided_by, this.owner_id, amounts[first]); END IF;
    END IF;
    IF missing > 0 THEN
      -- Written as an approval of a transaction that stays PENDING.
      operations[this.at].decision.status := 'PENDING';
      approval := approval || jsonb_build_object('needed', needed, 'evidence', coalesce(this.evidence, approval ->> 'evidence'),
        'by', (approval -> 'by') || to_jsonb(this.decided_by));
      approvals := approvals || jsonb_build_object(this.transaction_id, approval);
      outcomes[this.at] := outcomes[this.at] || jsonb_build_object('missing', missing);
    END IF;
    IF this.takes_wallet THEN
      outcomes[this.at] := outcomes[this.at] || wallets[this.at];
      corrected := true;
    END IF;
  END LOOP;

  -- Writes all accepted operations, and transfers last: their trigger writes balances.
  PERFORM write_operations(operations, accepted);
  INSERT INTO transfers (movement, reference_id, from_account_id, to_account_id, amount)
  SELECT movement, cause, ids[source], ids[target], amount
  FROM unnest(movements, causes, sources, targets, amounts) WITH ORDINALITY AS leg (movement, cause, source, target, amount, at)
  WHERE source IS NOT NULL ORDER BY at;

  IF NOT corrected THEN RETURN to_jsonb(outcomes); END IF;
  -- Corrects the outcomes that claim_keys wrote as plain success. A key refused for want of a
  -- wallet is free again, as there may be one tomorrow.
  DELETE FROM idempotency_keys AS k USING unnest(operations) WITH ORDINALITY AS o
  WHERE fresh[o.ordinality] AND wallets[o.ordinality] ? 'refused' AND k.actor_id = o.actor_id AND k.key = o.key;

  UPDATE idempotency_keys AS k SET outcome = outcomes[o.ordinality]
  FROM unnest(operations) WITH ORDINALITY AS o
  WHERE fresh[o.ordinality] AND (NOT accepted[o.ordinality] OR (o.transaction).takes_wallet OR outcomes[o.ordinality] ? 'missing')
    AND k.actor_id = o.actor_id AND k.key = o.key;

  RETURN to_jsonb(outcomes);
END $$;
