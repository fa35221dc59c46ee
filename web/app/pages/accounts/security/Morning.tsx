import { messageOf } from '../../../api/http/errors.ts'
import { useMorningMail, useSaveMorningMail } from '../../../api/reports/today.ts'
import { t } from '../../../i18n/today.ts'
import { Pending } from '../../../ui/Pending.tsx'
import { Card } from './Card.tsx'
import classes from './Mails.module.css'

/** The choice of staff to get the page of today by mail. A change is saved at once. */
export const Morning = () => {
  const query = useMorningMail(t('mail.failed'))
  const save = useSaveMorningMail(t('mail.notSaved'))
  return (
    <Card id="morning" title={t('mail')} text={t('mail.text')}>
      {query.data === undefined ? (
        <Pending query={query} failed={t('mail.failed')} loading={t('mail.loading')} />
      ) : (
        <label className={classes.choice}>
          <input
            type="checkbox"
            checked={query.data}
            onChange={({ currentTarget }) => save.mutate(currentTarget.checked)}
          />
          {t('mail.wanted')}
        </label>
      )}
      <div role="status" className={classes.said}>
        {save.isSuccess && t('mail.saved')}
      </div>
      {save.isError && <p role="alert">{messageOf(save.error, t('mail.notSaved'))}</p>}
    </Card>
  )
}
