import type { Role } from '@pool/contract/accounts/users'
import { Dialog } from '../../forms/FormDialog.tsx'
import { common } from '../../i18n/common.ts'
import { t as name } from '../../i18n/map.ts'
import { pages, pagesFor } from '../map.ts'
import classes from './ShortcutsDialog.module.css'
import { type Shortcut, setShortcutsOn, useShortcutsOn } from './shortcuts.ts'

type Props = {
  readonly shortcuts: readonly Shortcut[]
  readonly role: Role
  readonly opened: boolean
  readonly onClose: () => void
}

type Key = { readonly keys: readonly string[]; readonly label: string }

const List = ({ keys, off }: { readonly keys: readonly Key[]; readonly off: boolean }) => (
  <dl className={classes.list} data-off={off || undefined}>
    {keys.map(({ keys, label }) => (
      <div key={keys.join(' ')} className={classes.entry}>
        <dt>
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </dt>
        <dd>{label}</dd>
      </div>
    ))}
  </dl>
)

/** Lists the keys of this screen and of the pages, and turns single keys off. */
export const ShortcutsDialog = ({ shortcuts, role, opened, onClose }: Props) => {
  const on = useShortcutsOn()
  return (
    <Dialog title={common('shortcuts.title')} opened={opened} onClose={onClose}>
      <List
        off={!on}
        keys={[
          ...shortcuts.map(({ key, label }) => ({ keys: [key], label })),
          { keys: ['Ctrl', 'K'], label: name('palette') },
          { keys: ['Esc'], label: common('shortcuts.close') },
        ]}
      />
      <h3 className={classes.heading}>{common('nav.pages')}</h3>
      <List
        off={!on}
        keys={pagesFor(role).map((page) => ({ keys: ['g', pages[page].key], label: name(page) }))}
      />
      <label className={classes.switch}>
        <input
          type="checkbox"
          checked={on}
          onChange={({ currentTarget }) => setShortcutsOn(currentTarget.checked)}
        />
        <span>
          {common('shortcuts.on')}
          <small>{common('shortcuts.onText')}</small>
        </span>
      </label>
    </Dialog>
  )
}
