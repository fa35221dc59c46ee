import { IconArrowBarToDown, IconArrowBarUp, IconPlant2 } from '@tabler/icons-react'
import { t } from '../../i18n/dashboard.ts'
import classes from './ActionCards.module.css'

/** The actions with a dialog. The payout address is rare, so it has no card. */
export const actions = ['deposit', 'withdraw', 'invest', 'payoutAddress'] as const
export type Action = (typeof actions)[number]

type Card = {
  readonly action: Action
  readonly icon: typeof IconPlant2
  readonly title: string
  readonly text: string
}

const cards: readonly Card[] = [
  {
    action: 'deposit',
    icon: IconArrowBarToDown,
    title: t('action.deposit'),
    text: t('action.deposit.text'),
  },
  {
    action: 'withdraw',
    icon: IconArrowBarUp,
    title: t('action.withdraw'),
    text: t('action.withdraw.text'),
  },
  { action: 'invest', icon: IconPlant2, title: t('action.invest'), text: t('action.invest.text') },
]

type Props = {
  readonly onChoose: (action: Action) => void
  /** The pointer or the focus comes near: time to fetch the dialogs. */
  readonly onApproach: () => void
}

/** The three actions with money (docs/product.md 3.5). */
export const ActionCards = ({ onChoose, onApproach }: Props) => (
  <section className={classes.cards} aria-label={t('actions')}>
    {cards.map(({ action, icon: Icon, title, text }) => (
      <button
        key={action}
        type="button"
        className={classes.card}
        onClick={() => onChoose(action)}
        onPointerEnter={onApproach}
        onFocus={onApproach}
      >
        <span className={classes.icon}>
          <Icon size={24} stroke={1.6} aria-hidden />
        </span>
        <span className={classes.title}>{title}</span>
        <span className={classes.text}>{text}</span>
      </button>
    ))}
  </section>
)
