import { MAILBOX_PATH } from '@pool/contract/accounts/mails'
import {
  IconActivity,
  IconCoins,
  IconEyeCheck,
  IconFileCertificate,
  IconKeyboard,
  IconLanguage,
  IconListDetails,
  IconLogout,
  IconMail,
  IconMailX,
  IconSend,
  IconShieldLock,
  IconTopologyStar3,
} from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { configuration } from '../../configuration.ts'
import { t } from '../../i18n/account.ts'
import { common } from '../../i18n/common.ts'
import { LanguageLink } from '../../layout/LanguageLink.tsx'
import { isStaff, type SessionUser, seesAccounts } from '../../session/store.ts'
import classes from './AccountMenu.module.css'

type EntryProps = {
  readonly icon: typeof IconKeyboard
  readonly label: string
  readonly hint?: string
  readonly onPress: () => void
}

const Entry = ({ icon: Icon, label, hint, onPress }: EntryProps) => (
  <li>
    <button type="button" className={classes.entry} onClick={onPress}>
      <Icon size={19} stroke={1.6} aria-hidden />
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
    </button>
  </li>
)

type Props = {
  readonly user: SessionUser
  readonly onPayoutAddress: (() => void) | undefined
  readonly onShortcuts: () => void
  readonly onLogout: () => void
}

/** The entries of the account menu. */
export const AccountEntries = ({ user, onPayoutAddress, onShortcuts, onLogout }: Props) => {
  const navigate = useNavigate()
  const hasMailbox = isStaff(user) && configuration().poolMode === 'sandbox'
  return (
    <>
      <p className={classes.owner}>{user.email}</p>
      <ul className={classes.entries}>
        <Entry
          icon={IconShieldLock}
          label={t('menu.security')}
          hint={t('menu.security.hint')}
          onPress={() => void navigate('/security')}
        />
        <Entry
          icon={IconFileCertificate}
          label={t('menu.statements')}
          hint={t('menu.statements.hint')}
          onPress={() => void navigate('/statements')}
        />
        {onPayoutAddress && (
          <Entry
            icon={IconSend}
            label={t('menu.payoutAddress')}
            hint={t('menu.payoutAddress.hint')}
            onPress={onPayoutAddress}
          />
        )}
        {hasMailbox && (
          <Entry
            icon={IconMail}
            label={t('menu.mailbox')}
            hint={t('menu.mailbox.hint')}
            onPress={() => void navigate(MAILBOX_PATH)}
          />
        )}
        {isStaff(user) && (
          <Entry
            icon={IconMailX}
            label={t('menu.undelivered')}
            hint={t('menu.undelivered.hint')}
            onPress={() => void navigate('/admin/mails')}
          />
        )}
        {isStaff(user) && (
          <Entry
            icon={IconCoins}
            label={t('menu.rates')}
            hint={t('menu.rates.hint')}
            onPress={() => void navigate('/admin/rates')}
          />
        )}
        {seesAccounts(user) && (
          <Entry
            icon={IconListDetails}
            label={t('menu.plans')}
            hint={t('menu.plans.hint')}
            onPress={() => void navigate('/admin/plans')}
          />
        )}
        {isStaff(user) && configuration().chains !== '' && (
          <Entry
            icon={IconTopologyStar3}
            label={t('menu.chains')}
            hint={t('menu.chains.hint')}
            onPress={() => void navigate('/admin/chains')}
          />
        )}
        {isStaff(user) && configuration().chains !== '' && (
          <Entry
            icon={IconSend}
            label={t('menu.batches')}
            hint={t('menu.batches.hint')}
            onPress={() => void navigate('/admin/batches')}
          />
        )}
        {seesAccounts(user) && (
          <Entry
            icon={IconActivity}
            label={t('menu.stress')}
            hint={t('menu.stress.hint')}
            onPress={() => void navigate('/admin/stress')}
          />
        )}
        <Entry
          icon={IconEyeCheck}
          label={t('menu.pool')}
          hint={t('menu.pool.hint')}
          onPress={() => void navigate('/pool')}
        />
        <Entry icon={IconKeyboard} label={common('shortcuts')} onPress={onShortcuts} />
        <li className={classes.language}>
          <IconLanguage size={19} stroke={1.6} aria-hidden />
          <LanguageLink />
        </li>
        <Entry icon={IconLogout} label={t('menu.logout')} onPress={onLogout} />
      </ul>
    </>
  )
}
