/** The states of loans, and the filters of their list. */
import type { Tone } from '@pool/contract/base/tones'
import { buckets } from '@pool/contract/lending/arrears'
import type { LoanStatus } from '@pool/contract/lending/loans'
import { named, t } from '../i18n/loanList.ts'
import type { Filter } from './urlState.ts'

/** The tone of each state. Its word is `state.…` of i18n/loanList. */
const tones: Readonly<Record<LoanStatus, Tone>> = {
  APPLIED: 'amber',
  APPROVED: 'blue',
  SENDING: 'amber',
  ACTIVE: 'green',
  DEFAULTED: 'red',
  WRITTEN_OFF: 'grey',
  REPAID: 'primary',
  WITHDRAWN: 'grey',
  DECLINED: 'grey',
}

/** The tone of a state. One of a newer server is grey. */
export const loanTone = (status: string): Tone =>
  Object.hasOwn(tones, status) ? tones[status as LoanStatus] : 'grey'

const choicesOf = (group: 'state' | 'bucket' | 'updates', values: readonly string[]) =>
  values.map((value) => ({ value, label: named(group, value) }))

export const loanFilters: readonly Filter[] = [
  {
    kind: 'choices',
    name: 'status',
    label: t('state'),
    choices: choicesOf('state', Object.keys(tones)),
  },
  {
    kind: 'choices',
    name: 'bucket',
    label: t('bucket'),
    isBounded: true,
    choices: choicesOf('bucket', buckets),
  },
  {
    kind: 'choices',
    name: 'updates',
    label: t('lastUpdate'),
    isBounded: true,
    choices: choicesOf('updates', ['due']),
  },
]
