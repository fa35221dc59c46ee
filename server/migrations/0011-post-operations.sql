-- Group commit (design §5): posts many money operations in one call. Each succeeds or is refused on its own, in the order
-- given, as if it were alone; an operation sees what the ones before it did.

-- Takes `operation` records as JSON; returns their outcomes in the same order: what operation_succeeded answers, or
-- {"refused": code, …}. First every key is claimed and every row locked, then each operation is decided in memory, then all
-- that were accepted are written at once.
CREATE FUNCTION post_operations(batch json) RETURNS jsonb LANGUAGE plpgsql AS $$
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
BEGIN
  SELECT s.named_at, s.state INTO named_at, state FROM lock_states(operations, fresh) AS s;
  SELECT a.owners, a.kinds, a.balances INTO owners, kinds, balances FROM lock_accounts(operations, fresh) AS a;
  wallets_of := assign_wallets(operations, fresh);

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

    refused := CASE
      WHEN (this.decision).transaction_id IS NOT NULL AND state[named_at[i]] IS DISTINCT FROM 'PENDING'
        THEN jsonb_build_object('refused', 'alreadyDecided', 'status', state[named_at[i]])
      WHEN this.completes IS NOT NULL AND state[named_at[i]] IS DISTINCT FROM 'MATURED' THEN '{"refused": "notMatured"}'
      WHEN (this.transaction).takes_wallet AND wallets_of -> this.owner_id::text IS NULL THEN '{"refused": "noWalletAvailable"}'
    END;

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
      CONTINUE;
    END IF;
    accepted[i] := true;
    state[named_at[i]] := coalesce((this.decision).status, 'COMPLETED');
    outcomes[i] := operation_succeeded(this.reference_id, (this.investment).duration_seconds);
    IF (this.transaction).takes_wallet THEN outcomes[i] := outcomes[i] || (wallets_of -> this.owner_id::text); END IF;
  END LOOP;

  PERFORM write_operations(operations, accepted);

  -- claim_keys wrote the plain success; what came out otherwise is put right. That no wallet is free today is no answer for good: that key is free again.
  DELETE FROM idempotency_keys AS k USING unnest(operations) WITH ORDINALITY AS o
  WHERE fresh[o.ordinality] AND outcomes[o.ordinality] ->> 'refused' = 'noWalletAvailable' AND k.actor_id = o.actor_id AND k.key = o.key;

  UPDATE idempotency_keys AS k SET outcome = outcomes[o.ordinality]
  FROM unnest(operations) WITH ORDINALITY AS o
  WHERE fresh[o.ordinality] AND (NOT accepted[o.ordinality] OR (o.transaction).takes_wallet) AND k.actor_id = o.actor_id AND k.key = o.key;

  RETURN to_jsonb(outcomes);
END $$;
