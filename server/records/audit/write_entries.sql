-- Writes entries that the product has signed, by the names of their columns.
CREATE OR REPLACE FUNCTION write_entries(entries jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_entries
    (actor_id, actor, action, subject_type, subject_id, owner_id, source, before, after, reason, nonce, mac)
  SELECT actor_id, actor, action, subject_type, subject_id, owner_id, source, before, after, reason, nonce, mac
  FROM jsonb_populate_recordset(NULL::audit_entries, entries)
$$;
