-- The sealed content of an entry as JSON. Columns are named, so that a new column changes no seal.
-- The content of a seal never changes.
CREATE OR REPLACE FUNCTION audit_content(entry audit_entries)
  RETURNS text LANGUAGE sql STABLE SET timezone = 'UTC' AS $$
  SELECT jsonb_build_object(
    'id', entry.id, 'created_at', entry.created_at, 'actor_id', entry.actor_id, 'actor', entry.actor, 'action', entry.action,
    'subject_type', entry.subject_type, 'subject_id', entry.subject_id, 'owner_id', entry.owner_id, 'source', entry.source,
    'before', entry.before, 'after', entry.after, 'reason', entry.reason)::text
$$;
