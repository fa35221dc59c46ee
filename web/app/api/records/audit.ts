/** The audit trail, for staff only. */
import { callFailed } from '@pool/contract/base/messages'
import { type AuditEntry, listAudit } from '@pool/contract/reports/audit'
import { listSource } from '../http/lists.ts'
import { asMoment, asNumber, asRecord, asText, or, record, type Shape } from '../http/reading.ts'

/** The state before or after an action; amounts in dollars. */
export type State = Readonly<Record<string, unknown>>

const entry = record({
  at: asMoment,
  actorId: asText,
  actor: asText,
  action: or(asText, ''),
  subjectType: or(asText, ''),
  subjectId: asText,
  ownerId: asText,
  source: asText,
  before: asRecord,
  after: asRecord,
  reason: asText,
  position: asNumber,
  hash: asText,
} satisfies Shape<AuditEntry>)

/** Reads an entry of the trail. */
export const readEntry = (value: unknown) => ({
  ...entry(value),
  id: asText(asRecord(value)?.id) ?? '',
})

/** An entry as the screen shows it; null for a field that was not sent. */
export type AuditRow = ReturnType<typeof readEntry>

export const auditList = listSource({
  noun: 'audit',
  endpoint: listAudit,
  read: readEntry,
  texts: { otherwise: callFailed.audit },
  fields: ({ at }) => ({ createdAt: at }),
})
