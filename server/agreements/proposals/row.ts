import type { PayloadOf, ProposalKind } from '@pool/contract/agreements/proposals'
import type { Selectable } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Proposal } from './kind.ts'

/** The columns of a proposal that its rules need. */
export const COLUMNS = [
  'id',
  'kind',
  'user_id',
  'payload',
  'language',
  'reason',
  'asked_by',
  'alone',
  'rests_until',
] as const

type ProposalRow = Pick<Selectable<Schema['proposals']>, (typeof COLUMNS)[number]>

/** The contract has checked the payload for its kind before the row was written. */
export const proposalOf = (row: ProposalRow): Proposal<ProposalKind> => ({
  id: row.id,
  kind: row.kind as ProposalKind,
  userId: row.user_id,
  payload: row.payload as PayloadOf<ProposalKind>,
  language: row.language,
  reason: row.reason,
  askedBy: row.asked_by,
  alone: row.alone,
  restsUntil: row.rests_until,
})
