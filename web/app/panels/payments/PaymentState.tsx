import type { Tone } from '@pool/contract/base/tones'
import { paymentStates, type PaymentState as State } from '@pool/contract/coins/payments'
import { t } from '../../i18n/payments.ts'
import { Tag } from '../../tables/cells.tsx'

type Shown = {
  readonly state: string
  readonly depth: number | null
  readonly needed: number | null
}

const tones: Readonly<Record<State | 'CREDITED', Tone>> = {
  SEEN: 'amber',
  CONFIRMED: 'green',
  CREDITED: 'primary',
  REPLACED: 'grey',
  DROPPED: 'grey',
  REVERSED: 'red',
}

/** A newer server may have a state that this page does not know. */
export const stateOf = ({ state }: Pick<Shown, 'state'>): State =>
  paymentStates.find((each) => each === state) ?? 'SEEN'

/** The name of a payment's state. */
export const stateName = (payment: Pick<Shown, 'state'>): string => t(`state.${stateOf(payment)}`)

/** The blocks that confirm a payment so far, where it waits for more. */
export const depthOf = ({ state, depth, needed }: Shown): string | null => {
  if (state !== 'SEEN') return null
  if (depth === null) return t('depth.none')
  if (needed === null) return t('depth.final')
  return t('depth.of', { depth: String(depth), needed: String(needed) })
}

type Props = {
  readonly payment: Pick<Shown, 'state'>
  /** True once a deposit was credited for it. */
  readonly isCredited?: boolean | undefined
}

export const PaymentState = ({ payment, isCredited = false }: Props) => {
  const state = stateOf(payment)
  const shown = isCredited && state === 'CONFIRMED' ? 'CREDITED' : state
  return <Tag tone={tones[shown]}>{t(`state.${shown}`)}</Tag>
}
