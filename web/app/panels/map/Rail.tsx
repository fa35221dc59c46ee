import {
  IconActivity,
  IconAddressBook,
  IconArrowsExchange,
  IconBell,
  IconBuildingBank,
  IconCalendarEvent,
  IconChecklist,
  IconClipboardList,
  IconCoins,
  IconDoorExit,
  IconFileCertificate,
  IconFileCheck,
  IconHandStop,
  IconHeartBroken,
  IconHome,
  IconListDetails,
  IconListSearch,
  IconMailbox,
  IconMailX,
  IconReceipt,
  IconScale,
  IconSend,
  IconShieldLock,
  IconTopologyStar3,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useCounts } from '../../api/reports/counts.ts'
import { t } from '../../i18n/map.ts'
import { groups, type PageName, pageAt, pages, pagesFor, placeOf } from '../../layout/map.ts'
import { RAIL } from '../../layout/rail.ts'
import { dialogOnDemand } from '../../loading/onDemand.tsx'
import { isStaff, type SessionUser } from '../../session/store.ts'
import classes from './Rail.module.css'
import { useGoKeys } from './useGoKeys.ts'

const icons = {
  home: IconHome,
  today: IconCalendarEvent,
  decisions: IconChecklist,
  transactions: IconArrowsExchange,
  batches: IconSend,
  reconciliation: IconScale,
  statements: IconFileCertificate,
  loans: IconReceipt,
  borrowers: IconAddressBook,
  losses: IconHeartBroken,
  stress: IconActivity,
  users: IconUsers,
  mails: IconMailX,
  mailbox: IconMailbox,
  plans: IconListDetails,
  rates: IconCoins,
  wallets: IconWallet,
  networks: IconTopologyStar3,
  pauses: IconHandStop,
  windDown: IconDoorExit,
  audit: IconClipboardList,
  notices: IconBell,
  security: IconShieldLock,
  pool: IconBuildingBank,
  verify: IconFileCheck,
} as const satisfies Readonly<Record<PageName, typeof IconHome>>

type EntryProps = {
  readonly page: PageName
  readonly isHere: boolean
  readonly count: number
}

const Entry = ({ page, isHere, count }: EntryProps) => {
  const Icon = icons[page]
  return (
    <li>
      <Link
        to={pages[page].path}
        className={classes.entry}
        title={t(page)}
        {...(isHere && { 'aria-current': 'page' })}
      >
        <Icon size={18} stroke={1.6} aria-hidden />
        <span className={classes.name}>{t(page)}</span>
        {count > 0 && (
          <span className={classes.badge}>
            <span className={classes.hidden}>, </span>
            {count}
          </span>
        )}
      </Link>
    </li>
  )
}

/** The search is above the page, and the sheet of phones would be above the search. */
const closeSheet = () => document.getElementById(RAIL)?.hidePopover()

/** The same in each language. */
const PALETTE_KEYS = 'Ctrl K'

const Palette = dialogOnDemand(async () => (await import('./Palette.tsx')).Palette)

/** Opens the command palette with Ctrl K, also during typing. */
const usePalette = () => {
  const [opened, setOpened] = useState<boolean | null>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'k')
        return
      event.preventDefault()
      closeSheet()
      setOpened(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return { opened, setOpened }
}

/** The pages that this user may open, with the numbers of what waits in them. */
export const Rail = ({ user }: { readonly user: SessionUser }) => {
  const { opened, setOpened } = usePalette()
  const { pathname, search } = useLocation()
  const { data: counts } = useCounts(isStaff(user))
  const shown = pagesFor(user.role)
  useGoKeys(shown)
  // Staff have their dashboard at two addresses.
  const here = pageAt(isStaff(user) && pathname === '/dashboard' ? '/admin' : pathname, search)
  const entry = (page: PageName) => {
    const { badge } = placeOf(page)
    return (
      <Entry
        key={page}
        page={page}
        isHere={page === here}
        count={badge ? (counts?.[badge] ?? 0) : 0}
      />
    )
  }
  const openSearch = () => {
    closeSheet()
    setOpened(true)
  }
  return (
    <>
      <button type="button" className={classes.search} title={t('search')} onClick={openSearch}>
        <IconListSearch size={17} stroke={1.6} aria-hidden />
        <span className={classes.name}>{t('search')}</span>
        <kbd aria-hidden>{PALETTE_KEYS}</kbd>
      </button>
      {isStaff(user) ? (
        groups.map((group) => (
          <div key={group} className={classes.group}>
            <p id={`rail-${group}`}>{t(`group.${group}`)}</p>
            <ul aria-labelledby={`rail-${group}`}>
              {shown.filter((page) => pages[page].group === group).map(entry)}
            </ul>
          </div>
        ))
      ) : (
        <ul className={classes.few}>{shown.map(entry)}</ul>
      )}
      {opened !== null && <Palette user={user} opened={opened} onClose={() => setOpened(false)} />}
    </>
  )
}
