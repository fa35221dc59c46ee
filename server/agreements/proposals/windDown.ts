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
import type { Rules } from './kind.ts'

const SUBJECT = { subject: 'pool', userId: null }

export const windDown: Rules<'WIND_DOWN'> = {
  about: () => SUBJECT,
  facts: () => ({}),
  requires: ({ transaction }) => requireRunning(transaction),
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

export const endWindDown: Rules<'END_WIND_DOWN'> = {
  about: () => SUBJECT,
  facts: () => ({}),
  requires: ({ transaction }) => requireCallable(transaction),
  apply: async ({ transaction, context, by }, { id, reason, alone }) => {
    if (alone) throw refusal('windDownNeedsTwo')
    await callOffWindDown({ db: transaction, keys: context.keys }, { id, by, reason })
    await record(transaction, context.keys, {
      by,
      action: 'windDown.calledOff',
      subject: { type: 'windDown', id },
    })
  },
}

export const withdrawCapital: Rules<'WITHDRAW_CAPITAL'> = {
  about: () => ({ subject: 'reserve', userId: null }),
  facts: ({ amount, networkName, address, repayments }) => ({
    amount: formatDollars(amount),
    networkName,
    address,
    count: repayments?.count ?? 0,
    repaid: formatDollars(repayments?.amount ?? 0),
    largest: (repayments?.largest ?? []).map(({ reference, amount }) => ({
      reference,
      amount: formatDollars(amount),
    })),
  }),
  needsTwo: 'windDownNeedsTwo',
  requires: ({ transaction }, { payload }) => requireTakable(transaction, payload),
  posts: ({ context }, { id, payload }) => capitalOf(context, id, payload),
}
