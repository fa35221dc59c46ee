-- What admins read: without it, a page of theirs would pass by every sign-in there ever was.
CREATE INDEX audit_entries_not_about_users ON audit_entries (created_at, id)
  WHERE subject_type <> 'user';
