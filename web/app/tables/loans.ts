/** The states of loans, and the filters of their list. */
import { loanBuckets } from '@pool/contract/loanBuckets'
import type { LoanStatus } from '@pool/contract/loans'
import type { Tone } from '@pool/contract/tones'
import { named, t } from '../i18n/loanList.ts'
import type { Filter } from './urlState.ts'

/** The step that staff take next, if any. */
export type LoanStep = 'approve' | 'disburse' | 'repay'

type State = { readonly tone: Tone; readonly step: LoanStep | null }

/** Each state with its tone and the next step. Its word is `state.…` of i18n/loanList. */
const states: Readonly<Record<LoanStatus, State>> = {
  APPLIED: { tone: 'amber', step: 'approve' },
  APPROVED: { tone: 'blue', step: 'disburse' },
  ACTIVE: { tone: 'green', step: 'repay' },
  DEFAULTED: { tone: 'red', step: 'repay' },
  WRITTEN_OFF: { tone: 'grey', step: null },
  REPAID: { tone: 'primary', step: null },
}

const UNKNOWN: State = { tone: 'grey', step: null }

/** A state. One of a newer server has no step. */
export const loanState = (status: string): State =>
  Object.hasOwn(states, status) ? states[status as LoanStatus] : UNKNOWN

const choicesOf = (group: 'state' | 'bucket', values: readonly string[]) =>
  values.map((value) => ({ value, label: named(group, value) }))

export const loanFilters: readonly Filter[] = [
  {
    kind: 'choices',
    name: 'status',
    label: t('state'),
    choices: choicesOf('state', Object.keys(states)),
  },
  {
    kind: 'choices',
    name: 'bucket',
    label: t('bucket'),
    choices: choicesOf('bucket', loanBuckets),
  },
]
