/**
 * Explains transactions that spend our coins by the batches that staff made, by what they pay and
 * never by an id that was typed (docs/product.md 5.23).
 */
import type { AlarmKind } from '@pool/contract/coins/payouts'

/** Coins that an address received. `receiver` is the address as a node names it. */
export type SentOutput = {
  readonly output: number
  /** Null for an output that no address has. */
  readonly receiver: string | null
  readonly asset: string
  readonly units: bigint
}

/** A transaction that spends our coins and is on the chain or in the pool now. */
export type Live = {
  readonly id: string
  readonly transaction: string
  readonly isConfirmed: boolean
  readonly seenAt: Date
  /** True once staff settled it. */
  readonly isSettled: boolean
  /** Outputs of Bitcoin that it spends. */
  readonly inputs: readonly string[]
  /** The receivers whose coins it spends. */
  readonly payers: ReadonlySet<string>
  readonly sent: readonly SentOutput[]
}

export type Payout = {
  readonly position: number
  readonly receiver: string
  readonly units: bigint
  /** The transaction and output that pay it so far. */
  readonly transaction: string | null
  readonly output: number | null
  /** True once it was freed for another batch, while its own goes on. */
  readonly isFreed: boolean
  /** The withdrawal or loan that it pays. Null where it pays an address of ours. */
  readonly order: {
    readonly id: string
    readonly status: string
    /** True if the product completed it. */
    readonly isCompletedByProduct: boolean
    /** The transaction that staff marked as its payment. */
    readonly markedAs: string | null
  } | null
}

export type Batch = {
  readonly id: string
  readonly state: 'WAITING' | 'READY' | 'SEEN' | 'COMPLETED' | 'GIVEN_UP'
  readonly asset: string
  /** The receiver that pays. Null where the inputs say it. */
  readonly payer: string | null
  /** True for a file of a Safe: one transaction makes all its payments, or none. */
  readonly isAtOnce: boolean
  readonly madeAt: Date
  /** True a day after it was ready to be signed. */
  readonly isLate: boolean
  readonly inputs: ReadonlySet<string>
  readonly payouts: readonly Payout[]
}

/** An output that staff marked a withdrawal as sent with, worth no more than the withdrawal. */
export type Mark = {
  readonly withdrawalId: string
  readonly transaction: string
  readonly output: number
  readonly receiver: string
}

export type OnChain = {
  readonly spendings: readonly Live[]
  readonly batches: readonly Batch[]
  readonly marks: readonly Mark[]
  /** True for receivers that are ours, of investors or our own. */
  readonly isOurs: (receiver: string) => boolean
}

export type Alarm = {
  readonly kind: AlarmKind
  readonly batchId: string | null
  readonly position: number | null
  readonly spendingId: string | null
}

type Paid = { readonly spending: Live; readonly output: number }

type PaidBy = ReadonlyMap<Payout, Paid>

export type Explained = {
  /** The batch of each live spending, null without one. */
  readonly batchOf: ReadonlyMap<Live, Batch | null>
  /** The output that pays each payout. */
  readonly paidBy: PaidBy
  readonly alarms: readonly Alarm[]
}

const isOpen = ({ state }: Batch): boolean => state !== 'GIVEN_UP'
/** True while the batch is to pay it, and no other one is. */
const isOn = (batch: Batch, payout: Payout): boolean => isOpen(batch) && !payout.isFreed

const oldestFirst = <Each extends { readonly id: string }>(
  all: readonly Each[],
  at: (each: Each) => Date,
) => all.toSorted((a, b) => at(a).getTime() - at(b).getTime() || (a.id < b.id ? -1 : 1))

/** True for a spending of the inputs of a batch. */
const spends = ({ inputs }: Live, batch: Batch): boolean =>
  inputs.some((input) => batch.inputs.has(input))

/** True for a spending of all inputs of a batch, as its file spends them. */
const spendsAll = ({ inputs }: Live, batch: Batch): boolean =>
  batch.inputs.size > 0 && [...batch.inputs].every((input) => inputs.includes(input))

/** True where the batch can have led to the spending: it spends its inputs, or came after it. */
const mayPay = (spending: Live, batch: Batch): boolean =>
  spends(spending, batch) || spending.seenAt >= batch.madeAt

const nameOf = ({ transaction }: Live, { output }: Pick<SentOutput, 'output'>): string =>
  `${transaction}:${output}`

const isExact = ({ receiver, asset, units }: SentOutput, payout: Payout, batch: Batch): boolean =>
  receiver === payout.receiver && asset === batch.asset && units === payout.units

/** The marks of staff that name an output. */
const marksOf = (marks: readonly Mark[], { transaction }: Live, { output, receiver }: SentOutput) =>
  marks.filter(
    (mark) =>
      mark.transaction === transaction && mark.receiver === receiver && mark.output === output,
  )

/** Pays each payout by one output at most, and lets each output pay one payout. */
const assign = ({ spendings, batches, marks }: OnChain): Map<Payout, Paid> => {
  const paidBy = new Map<Payout, Paid>()
  const used = new Set<string>()
  const byTransaction = new Map(spendings.map((each) => [each.transaction, each]))
  const pay = (payout: Payout, spending: Live, sent: SentOutput): void => {
    paidBy.set(payout, { spending, output: sent.output })
    used.add(nameOf(spending, sent))
  }
  const ordered = oldestFirst(batches, ({ madeAt }) => madeAt)
  // An output that pays one already keeps doing so.
  for (const batch of ordered)
    for (const payout of batch.payouts) {
      const spending = byTransaction.get(payout.transaction ?? '')
      const sent = spending?.sent.find(({ output }) => output === payout.output)
      if (spending && sent && !used.has(nameOf(spending, sent)) && isExact(sent, payout, batch))
        pay(payout, spending, sent)
    }
  // A batch shares an input with each earlier one of its orders, which was given up.
  const ways = [spendsAll, spends, mayPay].flatMap((may) => [
    { may, isFirst: true },
    { may, isFirst: false },
  ])
  const seen = oldestFirst(spendings, ({ seenAt }) => seenAt)
  for (const { may, isFirst } of ways)
    for (const batch of ordered)
      for (const spending of seen.filter((each) => !each.isSettled && may(each, batch)))
        for (const payout of batch.payouts) {
          if (paidBy.has(payout) || (isFirst && !isOn(batch, payout))) continue
          const isOfAnother = (each: SentOutput): boolean =>
            marksOf(marks, spending, each).some(
              ({ withdrawalId }) => withdrawalId !== payout.order?.id,
            )
          const sent = spending.sent.find(
            (each) =>
              isExact(each, payout, batch) &&
              !used.has(nameOf(spending, each)) &&
              !isOfAnother(each),
          )
          if (sent) pay(payout, spending, sent)
        }
  return paidBy
}

/**
 * True for a payout whose coins are still owed where they went: by no withdrawal that was given
 * back or marked otherwise, and by no file that was given up and whose orders another batch paid.
 */
const isOwed = (
  payout: Payout,
  batch: Batch,
  { batches, paidBy }: { readonly batches: readonly Batch[]; readonly paidBy: PaidBy },
): boolean => {
  const { order } = payout
  if (order === null) return true
  const { status, markedAs, id } = order
  if (status === 'RETURNED' || status === 'REJECTED') return false
  if (markedAs !== null && markedAs !== paidBy.get(payout)?.spending.transaction) return false
  return (
    isOn(batch, payout) ||
    !batches.some((other) =>
      other.payouts.some((each) => each.order?.id === id && isOn(other, each) && paidBy.has(each)),
    )
  )
}

type Names = Partial<Omit<Alarm, 'kind'>>
type Raise = (kind: AlarmKind, names: Names) => void

const OVER = ['COMPLETED', 'RETURNED', 'REJECTED']
const isOver = ({ order, isFreed }: Payout): boolean =>
  isFreed || (order !== null && OVER.includes(order.status))

/** Raises what is wrong with the payouts of a batch that the chain shows, or does not. */
const judgeBatch = (batch: Batch, paidBy: PaidBy, raise: Raise): void => {
  const { id: batchId, state, payouts } = batch
  for (const payout of payouts) {
    const { position, order } = payout
    const paid = paidBy.get(payout)
    const names = { batchId, position, spendingId: paid?.spending.id ?? null }
    if (paid && (!isOn(batch, payout) || order?.status === 'RETURNED')) raise('GIVEN_BACK', names)
    const isDone = order ? order.isCompletedByProduct : state === 'COMPLETED'
    // A later batch paid an order of one that was given up.
    if (isDone && isOpen(batch) && !paid?.spending.isConfirmed)
      raise('REORGANISED', { batchId, position })
    if (paid && (order?.markedAs ?? paid.spending.transaction) !== paid.spending.transaction)
      raise('TWICE', names)
  }
  if (state === 'WAITING' && payouts.some((payout) => paidBy.has(payout)))
    raise('UNAPPROVED', { batchId })
  if (
    batch.isLate &&
    (state === 'READY' || state === 'SEEN') &&
    payouts.some((payout) => !paidBy.has(payout) && !isOver(payout))
  )
    raise('LATE', { batchId })
}

type Judged = {
  readonly paidBy: PaidBy
  /** Units that each payout got by outputs of other units so far. Grows with each spending. */
  readonly got: Map<Payout, bigint>
}

/** Raises what is wrong with a spending. Returns the batch that it belongs to. */
const judgeSpending = (
  spending: Live,
  shown: OnChain,
  { paidBy, got }: Judged,
  raise: Raise,
): Batch | null => {
  const { batches, marks, isOurs } = shown
  const { id: spendingId, isSettled, payers } = spending
  const raiseUnsettled: Raise = (kind, names) => {
    if (!isSettled) raise(kind, { spendingId, ...names })
  }
  const pays = (payout: Payout): boolean => paidBy.get(payout)?.spending === spending
  const used = new Set(
    batches.flatMap(({ payouts }) =>
      payouts.filter(pays).map((payout) => paidBy.get(payout)?.output),
    ),
  )
  const bySpent = batches.filter((batch) => spends(spending, batch))
  const linked =
    batches.find(({ payouts }) => payouts.some(pays)) ?? bySpent.find(isOpen) ?? bySpent[0]
  const isMarked = (each: SentOutput): boolean => marksOf(marks, spending, each).length > 0
  const left = spending.sent.filter(
    (each) =>
      each.units > 0n &&
      !used.has(each.output) &&
      !(each.receiver !== null && isOurs(each.receiver)) &&
      !isMarked(each),
  )
  let of = linked ?? null
  let isBeyond = batches.some((batch) =>
    batch.payouts.some((payout) => pays(payout) && !isOwed(payout, batch, { batches, paidBy })),
  )
  const short = new Set<Payout>()
  for (const sent of left) {
    const near = nearest(spending, sent, shown, (payout) => paidBy.has(payout) || short.has(payout))
    const isFrom =
      near && (near.batch === linked || near.isPaid || payers.has(near.batch.payer ?? ''))
    if (!near || !isFrom) {
      isBeyond = true
      continue
    }
    of ??= near.batch
    short.add(near.payout)
    const { units } = near.payout
    got.set(near.payout, (got.get(near.payout) ?? 0n) + sent.units)
    const differs = sent.units < units ? ('SHORT' as const) : ('MORE' as const)
    isBeyond ||= near.isPaid || (got.get(near.payout) ?? 0n) > units
    raiseUnsettled(near.isPaid ? 'TWICE' : differs, {
      batchId: near.batch.id,
      position: near.payout.position,
    })
  }
  // Coins left beyond what was owed, also beside payouts of a batch. Two people settle them.
  if (isBeyond) raiseUnsettled('UNEXPLAINED', of ? { batchId: of.id } : {})
  // Its inputs or its number are gone, so the batch cannot pay the rest any more.
  const atOnce = batches.filter(({ isAtOnce, payouts }) => isAtOnce && payouts.some(pays))
  for (const { id: batchId, payouts, isAtOnce } of [...bySpent, ...atOnce].filter(isOpen))
    for (const payout of payouts)
      if (!(isAtOnce ? paidBy.has(payout) : pays(payout)) && !short.has(payout) && !isOver(payout))
        raiseUnsettled('OTHER', { batchId })
  return of
}

/** The payout with the payee and coin of an output. One that is paid needs the same units. */
const nearest = (
  spending: Live,
  sent: SentOutput,
  { batches }: OnChain,
  isTaken: (payout: Payout) => boolean,
) => {
  const same = batches
    .filter((batch) => batch.asset === sent.asset && mayPay(spending, batch))
    .flatMap((batch) => batch.payouts.map((payout) => ({ batch, payout })))
    .filter(({ payout }) => payout.receiver === sent.receiver)
  const unpaid = same.find(({ payout }) => !isTaken(payout) && !isOver(payout))
  if (unpaid) return { ...unpaid, isPaid: false }
  const paid = same.find(({ payout }) => payout.units === sent.units)
  return paid && { ...paid, isPaid: true }
}

/** Explains every live spending, and names each way in which it differs from the batches. */
export const explain = (shown: OnChain): Explained => {
  const paidBy = assign(shown)
  const alarms = new Map<string, Alarm>()
  const raise: Raise = (kind, { batchId = null, position = null, spendingId = null }) => {
    const alarm = { kind, batchId, position, spendingId }
    alarms.set(JSON.stringify(alarm), alarm)
  }
  for (const batch of shown.batches) judgeBatch(batch, paidBy, raise)
  const judged = { paidBy, got: new Map<Payout, bigint>() }
  const batchOf = new Map(
    oldestFirst(shown.spendings, ({ seenAt }) => seenAt).map((each) => [
      each,
      judgeSpending(each, shown, judged, raise),
    ]),
  )
  return { batchOf, paidBy, alarms: [...alarms.values()] }
}
