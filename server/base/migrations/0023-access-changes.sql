CREATE TABLE access_changes (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES users,
  kind       text NOT NULL CHECK (kind IN ('GRANT', 'REVOKE', 'SUSPEND', 'RESUME')),
  role       text CHECK (role IN ('USER', 'ADMIN', 'SUPER_ADMIN')),
  reason     text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  asked_by   uuid NOT NULL REFERENCES users,
  asked_at   timestamptz NOT NULL DEFAULT now(),
  status     text NOT NULL DEFAULT 'OPEN' CHECK (status IN ('OPEN', 'DONE', 'REJECTED', 'WITHDRAWN')),
  decided_by uuid REFERENCES users,
  decided_at timestamptz,
  CONSTRAINT access_changes_name_a_role CHECK ((kind IN ('GRANT', 'REVOKE')) = (role IS NOT NULL)),
  CONSTRAINT access_changes_are_decided CHECK ((status = 'OPEN') = (decided_at IS NULL)),
  CONSTRAINT access_changes_need_two CHECK ((decided_by = asked_by) IS NOT TRUE OR status = 'WITHDRAWN')
);
COMMENT ON TABLE access_changes IS
  'Roles and suspensions that a super admin asked for, and a second one decides about.';
COMMENT ON COLUMN access_changes.decided_by IS
  'NULL while it is open, and for a change by the only super admin.';

CREATE UNIQUE INDEX access_changes_are_asked_once
  ON access_changes (user_id, kind, coalesce(role, '')) WHERE status = 'OPEN';
