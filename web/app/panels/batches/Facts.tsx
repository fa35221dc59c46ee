import { formatDollars } from '@pool/contract/base/money'
import type { ReactNode } from 'react'
import type { ShownPlan } from '../../api/coins/batches.ts'
import { t } from '../../i18n/batches.ts'
import { rateText } from '../../ui/rateText.ts'
import classes from './Batches.module.css'

type Described = Pick<
  ShownPlan,
  | 'format'
  | 'coin'
  | 'rate'
  | 'feeRate'
  | 'fee'
  | 'feeCoin'
  | 'feeDollars'
  | 'gas'
  | 'gasPrice'
  | 'change'
  | 'changeAddress'
  | 'inputs'
  | 'signer'
  | 'payer'
  | 'nonce'
  | 'safeHash'
>

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** The network's fee in its own coin and in dollars, and how it comes about. */
const Fee = ({ of: { fee, feeCoin, feeDollars, feeRate, gas, gasPrice } }: { of: Described }) =>
  fee !== null && (
    <Fact name={t('fee')}>
      {fee} {feeCoin} {feeDollars !== null && <>({formatDollars(feeDollars)})</>}
      {feeRate !== null && <> · {t('fee.rate', { rate: feeRate })}</>}
      {gas !== null && gasPrice !== null && (
        <>
          {' '}
          · {t('fee.gas', { gas, price: gasPrice })}. {t('fee.signer')}
        </>
      )}
    </Fact>
  )

/** Rate, fee, change and signer of a batch, and what a signer compares. */
export const Facts = ({
  of,
  children,
}: {
  readonly of: Described
  readonly children?: ReactNode
}) => {
  const { format, coin, rate, change, inputs, signer, payer, nonce, safeHash } = of
  const { changeAddress } = of
  return (
    <dl className={classes.facts}>
      {children}
      <Fact name={t('rate', { coin })}>{rateText(rate)}</Fact>
      <Fee of={of} />
      {format === 'PSBT' && (
        <Fact name={t('change')}>{change === null ? t('change.none') : `${change} ${coin}`}</Fact>
      )}
      {changeAddress !== null && <Fact name={t('change.address')}>{changeAddress}</Fact>}
      {inputs !== null && inputs > 0 && <Fact name={t('inputs')}>{inputs}</Fact>}
      {signer !== null && <Fact name={t('signer')}>{signer}</Fact>}
      {payer !== null && <Fact name={t('payer')}>{payer}</Fact>}
      {nonce !== null && <Fact name={t('nonce')}>{nonce}</Fact>}
      {safeHash !== null && <Fact name={t('safeHash')}>{safeHash}</Fact>}
    </dl>
  )
}
