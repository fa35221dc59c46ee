import { type MailedKind, mailedKinds } from '@pool/contract/reports/notices'
import { messageOf } from '../../../api/http/errors.ts'
import {
  type NoticeMails,
  useNoticeMails,
  useSaveNoticeMails,
} from '../../../api/reports/notices.ts'
import { t } from '../../../i18n/notices.ts'
import { Pending } from '../../../ui/Pending.tsx'
import { Card } from './Card.tsx'
import classes from './Mails.module.css'

const groups = [
  ['mail.deposits', 'deposit.'],
  ['mail.withdrawals', 'withdrawal.'],
  ['mail.investments', 'investment.'],
  ['mail.losses', 'loss.'],
] as const

const labels = {
  'deposit.asked': 'mail.deposit.asked',
  'deposit.unannounced': 'mail.deposit.unannounced',
  'deposit.confirmed': 'mail.deposit.confirmed',
  'deposit.rejected': 'mail.deposit.rejected',
  'deposit.expired': 'mail.deposit.expired',
  'deposit.reversed': 'mail.deposit.reversed',
  'deposit.collected': 'mail.deposit.collected',
  'deposit.writtenOff': 'mail.deposit.writtenOff',
  'withdrawal.asked': 'mail.withdrawal.asked',
  'withdrawal.approved': 'mail.withdrawal.approved',
  'withdrawal.rejected': 'mail.withdrawal.rejected',
  'withdrawal.sent': 'mail.withdrawal.sent',
  'withdrawal.completed': 'mail.withdrawal.completed',
  'withdrawal.returned': 'mail.withdrawal.returned',
  'investment.opened': 'mail.investment.opened',
  'investment.matured': 'mail.investment.matured',
  'loss.borne': 'mail.loss.borne',
  'loss.returned': 'mail.loss.returned',
} as const satisfies Readonly<Record<MailedKind, string>>

type GroupProps = {
  readonly label: string
  readonly kinds: readonly MailedKind[]
  readonly mails: NoticeMails
  readonly onChoose: (kind: MailedKind, chosen: boolean) => void
}

const Group = ({ label, kinds, mails, onChoose }: GroupProps) => (
  <fieldset className={classes.group}>
    <legend>{label}</legend>
    {kinds.map((kind) => (
      <label key={kind} className={classes.choice}>
        <input
          type="checkbox"
          checked={mails[kind]}
          onChange={({ currentTarget }) => onChoose(kind, currentTarget.checked)}
        />
        {t(labels[kind])}
      </label>
    ))}
  </fieldset>
)

/** The choice of the notices that are mailed. Each change is saved at once. */
export const Mails = () => {
  const query = useNoticeMails(t('mails.failed'))
  const { data: mails } = query
  const save = useSaveNoticeMails(t('mails.notSaved'))
  return (
    <Card id="mails" title={t('mails')} text={t('mails.text')}>
      {!mails && <Pending query={query} failed={t('mails.failed')} loading={t('mails.loading')} />}
      {mails && (
        <div className={classes.groups}>
          {groups.map(([label, start]) => (
            <Group
              key={label}
              label={t(label)}
              kinds={mailedKinds.filter((kind) => kind.startsWith(start))}
              mails={mails}
              onChoose={(kind, chosen) => save.mutate({ ...mails, [kind]: chosen })}
            />
          ))}
        </div>
      )}
      <div role="status" className={classes.said}>
        {save.isSuccess && t('mails.saved')}
      </div>
      {save.isError && <p role="alert">{messageOf(save.error, t('mails.notSaved'))}</p>}
    </Card>
  )
}
