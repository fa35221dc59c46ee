import {
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconSend,
  IconShieldLock,
} from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { t } from '../../i18n/account.ts'
import { common } from '../../i18n/common.ts'
import { LanguageLink } from '../../layout/LanguageLink.tsx'
import type { SessionUser } from '../../session/store.ts'
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
        {onPayoutAddress && (
          <Entry
            icon={IconSend}
            label={t('menu.payoutAddress')}
            hint={t('menu.payoutAddress.hint')}
            onPress={onPayoutAddress}
          />
        )}
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
