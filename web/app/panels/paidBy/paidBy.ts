import type { ShownPool } from '../../api/lending/poolBook.ts'
import { dateFormat, formatPercent } from '../../i18n/format.ts'
import { t } from '../../i18n/paidBy.ts'

/** Each dollar has so many cents. */
const CENTS = 100

type Interest = ShownPool['interest']

/** The cents of a dollar of interest that borrowers paid. Any part shows, and any lack of one. */
export const centsFromBorrowers = ({
  promised,
  fromBorrowers,
}: Pick<Interest, 'promised' | 'fromBorrowers'>): number => {
  if (fromBorrowers <= 0) return 0
  if (fromBorrowers >= promised) return CENTS
  return Math.min(CENTS - 1, Math.max(1, Math.round((fromBorrowers * CENTS) / promised)))
}

const payers = (interest: Interest): string => {
  if (interest.promised <= 0) return t('none')
  const borrowers = centsFromBorrowers(interest)
  if (borrowers === 0) return t('operator')
  if (borrowers === CENTS) return t('borrowers')
  return t('shared', { borrowers, operator: CENTS - borrowers })
}

/** Says who paid, for how long, and both yearly rates, as far as they are known. */
export const paidSentences = ({
  interest,
  book,
}: Pick<ShownPool, 'interest' | 'book'>): readonly string[] => [
  payers(interest),
  ...(interest.runwayDays === null ? [] : [t('runway', { days: interest.runwayDays })]),
  ...(interest.planRate === null || book.rate === null
    ? []
    : [
        t('rates', {
          plans: formatPercent(interest.planRate / 100),
          loans: formatPercent(book.rate / 100),
        }),
      ]),
]

const monthName = dateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A month and the percent of its interest that borrowers paid. */
export type PaidMonth = { readonly name: string; readonly percent: number }

/** The months that promised interest, oldest first. */
export const paidMonths = ({ months }: Pick<Interest, 'months'>): readonly PaidMonth[] =>
  months.flatMap(({ month, promised, fromBorrowers }) =>
    month && promised > 0
      ? [{ name: monthName().format(month), percent: (fromBorrowers * 100) / promised }]
      : [],
  )
