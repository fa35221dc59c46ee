/** The audit trail; staff only. */
import { listAudit } from '@pool/contract/audit'
import { callFailed } from '@pool/contract/messages'
import { type ListQuery, listSource } from './http/lists.ts'
import { asMoment, asNumber, asRecord, asText } from './http/reading.ts'

/** What something was before or after; amounts in dollars. */
export type State = Readonly<Record<string, unknown>>

export type AuditRow = {
  readonly id: string
  readonly createdAt: Date | null
  readonly actorId: string | null
  readonly actor: string | null
  readonly action: string
  readonly subjectType: string
  readonly subjectId: string | null
  readonly ownerId: string | null
  readonly source: string | null
  readonly before: State | null
  readonly after: State | null
  readonly reason: string | null
  /** Its place in the hash chain and the hash there; null until it is sealed. */
  readonly position: number | null
  readonly hash: string | null
}

const read = (value: unknown): AuditRow => {
  const fields = asRecord(value) ?? {}
  return {
    id: asText(fields.id) ?? '',
    createdAt: asMoment(fields.at),
    actorId: asText(fields.actorId),
    actor: asText(fields.actor),
    action: asText(fields.action) ?? '',
    subjectType: asText(fields.subjectType) ?? '',
    subjectId: asText(fields.subjectId),
    ownerId: asText(fields.ownerId),
    source: asText(fields.source),
    before: asRecord(fields.before),
    after: asRecord(fields.after),
    reason: asText(fields.reason),
    position: asNumber(fields.position),
    hash: asText(fields.hash),
  }
}

const entries = listSource({
  noun: 'audit',
  endpoint: listAudit,
  read,
  texts: { otherwise: callFailed.audit },
})

/** What lists call the type of a row is an action here. */
const onTheWire = ({ type, ...query }: ListQuery): ListQuery =>
  type ? { ...query, action: type } : query

export const auditList: typeof entries = {
  ...entries,
  load: (ask) => entries.load({ ...ask, query: onTheWire(ask.query) }),
}
