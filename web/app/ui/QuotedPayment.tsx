import { formatDollars } from '@pool/contract/base/money'
import { useRef } from 'react'
import { t } from '../i18n/quotes.ts'
import { CopyButton } from './CopyButton.tsx'
import { PaymentCode } from './PaymentCode.tsx'
import classes from './QuotedPayment.module.css'
import { rateText } from './rateText.ts'
import { useLeft } from './useLeft.ts'

type Quoted = {
  readonly coin: string
  readonly amount: string
  readonly units: string
  readonly dollars: string
  readonly endsAt: Date
}

type Props = {
  readonly network: string
  readonly address: string
  /** The dollars of the deposit. */
  readonly dollars: number
  readonly quote: Quoted
  /** True once a payment was seen: nothing more is to be sent. */
  readonly isPaid: boolean
}

const words = { copy: t('copy'), copied: t('copied'), refused: t('refused') }

const Coins = ({ quote, dollars }: Pick<Props, 'quote' | 'dollars'>) => {
  const { coin, amount } = quote
  const shown = useRef<HTMLElement>(null)
  const select = () => {
    if (shown.current) window.getSelection()?.selectAllChildren(shown.current)
  }
  return (
    <>
      <h3 className={classes.label}>{t('send')}</h3>
      <p className={classes.coins}>
        <code ref={shown}>{amount}</code> {coin}
      </p>
      <CopyButton text={amount} words={words} onRefused={select} />
      <p>{t('counts', { amount: formatDollars(dollars), rate: rateText(quote.dollars), coin })}</p>
    </>
  )
}

/** The coins to send for a deposit while its quote lasts, and a wallet's code, until it is paid. */
export const QuotedPayment = ({ isPaid, ...asked }: Props) =>
  isPaid ? (
    <section className={classes.quote} aria-label={t('quote')}>
      <p role="status">{t('paid')}</p>
    </section>
  ) : (
    <OpenQuote {...asked} />
  )

const OpenQuote = ({ network, address, dollars, quote }: Omit<Props, 'isPaid'>) => {
  const left = useLeft(quote.endsAt)
  const isOpen = left > 0
  const clock = {
    minutes: Math.floor(left / 60),
    seconds: String(left % 60).padStart(2, '0'),
  }
  return (
    <section className={classes.quote} aria-label={t('quote')}>
      {isOpen && <Coins quote={quote} dollars={dollars} />}
      {isOpen && (
        <p role="timer" className={classes.clock}>
          {t('left', clock)}
        </p>
      )}
      <p role="status" className={classes.ended}>
        {!isOpen && t('ended')}
      </p>
      <PaymentCode network={network} address={address} asked={isOpen ? quote : undefined} />
    </section>
  )
}
