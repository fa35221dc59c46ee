-- What the seal of an entry covers, as JSON. Every column is named, so that one added later changes
-- no seal; what a seal covers is never changed.
CREATE OR REPLACE FUNCTION audit_content(entry audit_entries)
  RETURNS text LANGUAGE sql STABLE SET timezone = 'UTC' AS $$
  SELECT jsonb_build_object(
    'id', entry.id, 'created_at', entry.created_at, 'actor_id', entry.actor_id, 'actor', entry.actor, 'action', entry.action,
    'subject_type', entry.subject_type, 'subject_id', entry.subject_id, 'owner_id', entry.owner_id, 'source', entry.source,
    'before', entry.before, 'after', entry.after, 'reason', entry.reason)::text
$$;
