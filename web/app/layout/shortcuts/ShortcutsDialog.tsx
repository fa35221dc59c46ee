import { Dialog } from '../../forms/FormDialog.tsx'
import { common } from '../../i18n/common.ts'
import classes from './ShortcutsDialog.module.css'
import { type Shortcut, setShortcutsOn, useShortcutsOn } from './shortcuts.ts'

type Props = {
  readonly shortcuts: readonly Shortcut[]
  readonly opened: boolean
  readonly onClose: () => void
}

/** Lists the keys of this screen and turns single keys off. */
export const ShortcutsDialog = ({ shortcuts, opened, onClose }: Props) => {
  const on = useShortcutsOn()
  return (
    <Dialog title={common('shortcuts.title')} opened={opened} onClose={onClose}>
      <dl className={classes.list} data-off={!on || undefined}>
        {[...shortcuts, { key: 'Esc', label: common('shortcuts.close') }].map(({ key, label }) => (
          <div key={key} className={classes.entry}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
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
