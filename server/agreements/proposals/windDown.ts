/** The end of the pool, and its operator's capital: two super admins (docs/decisions/072). */
import { formatDollars } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { capitalOf, requireTakable } from '../../lending/windDown/takeCapital.ts'
import {
  beginWindDown,
  callOffWindDown,
  requireCallable,
  requireRunning,
} from '../../lending/windDown/windDown.ts'
import { record } from '../../records/audit/record.ts'
import type { Rules, Step } from './kind.ts'

const SUBJECT = { subject: 'pool', userId: null }

const actions = {
  asked: 'windDown.asked',
  rejected: 'windDown.declined',
  withdrawn: 'windDown.declined',
} as const satisfies Partial<Record<Step, string>>

export const windDown: Rules<'WIND_DOWN'> = {
  about: () => SUBJECT,
  facts: () => ({}),
  guard: ({ transaction }) => requireRunning(transaction),
  // Its approval is recorded with the moment of the last maturity.
  recordStep: async ({ transaction, context, by }, step, { id, reason }) => {
    if (step === 'approved') return
    await record(transaction, context.keys, {
      by,
      action: actions[step],
      subject: { type: 'windDown', id },
      ...(step === 'asked' && { reason }),
    })
  },
  apply: async ({ transaction, context, by }, { id, alone }) => {
    if (alone) throw refusal('windDownNeedsTwo')
    const lastMaturity = await beginWindDown({ db: transaction, keys: context.keys }, { id, by })
    await record(transaction, context.keys, {
      by,
      action: 'windDown.begun',
      subject: { type: 'windDown', id },
      after: { lastMaturity: lastMaturity.toISOString() },
    })
  },
}

const endActions = {
  asked: 'windDown.endAsked',
  approved: 'windDown.calledOff',
  rejected: 'windDown.endDeclined',
  withdrawn: 'windDown.endDeclined',
} as const

export const endWindDown: Rules<'END_WIND_DOWN'> = {
  about: () => SUBJECT,
  facts: () => ({}),
  guard: async ({ transaction }) => void (await requireCallable(transaction)),
  recordStep: ({ transaction, context, by }, step, { id, reason }) =>
    record(transaction, context.keys, {
      by,
      action: endActions[step],
      subject: { type: 'windDown', id },
      ...(step === 'asked' && { reason }),
    }),
  apply: async ({ transaction, context, by }, { id, reason, alone }) => {
    if (alone) throw refusal('windDownNeedsTwo')
    await callOffWindDown({ db: transaction, keys: context.keys }, { id, by, reason })
  },
}

const capitalActions = {
  asked: 'capital.withdrawalAsked',
  approved: 'capital.withdrawalAgreed',
  rejected: 'capital.withdrawalDeclined',
  withdrawn: 'capital.withdrawalDeclined',
} as const

export const withdrawCapital: Rules<'WITHDRAW_CAPITAL'> = {
  about: () => ({ subject: 'reserve', userId: null }),
  facts: ({ amount, repayments }) => ({
    amount: formatDollars(amount),
    count: repayments?.count ?? 0,
    repaid: formatDollars(repayments?.amount ?? 0),
    largest: (repayments?.largest ?? []).map(({ reference, amount }) => ({
      reference,
      amount: formatDollars(amount),
    })),
  }),
  guard: ({ transaction }, payload) => requireTakable(transaction, payload),
  recordStep: ({ transaction, context, by }, step, { id, payload, reason }) =>
    record(transaction, context.keys, {
      by,
      action: capitalActions[step],
      subject: { type: 'windDown', id },
      after: { amount: payload.amount, repayments: payload.repayments ?? null },
      ...(step === 'asked' && { reason }),
    }),
  needsTwo: 'windDownNeedsTwo',
  requires: ({ transaction }, { payload }) => requireTakable(transaction, payload),
  posts: ({ context }, { id, payload }) => capitalOf(context, id, payload),
}
