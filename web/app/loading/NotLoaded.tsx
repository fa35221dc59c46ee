import { type ReactNode, useId } from 'react'
import { t } from '../i18n/late.ts'
import { forgetSaid, loadNewVersion, type Missing, useSaid } from './missing.ts'
import classes from './NotLoaded.module.css'

export type NotLoadedProps = {
  readonly why: Missing
  /** Loads the part again. */
  readonly onAgain: () => void
}

/** The way out: the new version where the file is gone, another try where nothing answers. */
const Help = ({ why, onAgain }: NotLoadedProps) => (
  <button
    type="button"
    className={classes.button}
    onClick={why === 'gone' ? loadNewVersion : onAgain}
  >
    {t(why === 'gone' ? 'reload' : 'again')}
  </button>
)

/** Says in the place of a part that it could not be loaded. */
export const NotLoaded = (props: NotLoadedProps) => (
  <div role="alert" className={classes.place}>
    <p>{t(props.why)}</p>
    <Help {...props} />
  </div>
)

/** The same in the place of a whole page. */
export const PageNotLoaded = (props: NotLoadedProps) => (
  <main className={classes.page}>
    <NotLoaded {...props} />
  </main>
)

// A ref of its own, since it must be the same at each drawing. The browser gives the focus back.
const openModal = (dialog: HTMLDialogElement) => {
  dialog.showModal()
  return () => dialog.close()
}

/** The same for a dialog. It is the browser's own, so it lies above every other. */
export const DialogNotLoaded = ({
  onClose,
  ...props
}: NotLoadedProps & { readonly onClose: () => void }) => {
  const title = useId()
  return (
    <dialog
      ref={openModal}
      className={classes.dialog}
      aria-labelledby={title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className={classes.place}>
        <h2 id={title}>{t('title')}</h2>
        <p role="alert">{t(props.why)}</p>
        <div className={classes.actions}>
          <Help {...props} />
          <button type="button" className={classes.button} onClick={onClose}>
            {t('close')}
          </button>
        </div>
      </div>
    </dialog>
  )
}

export type CornerProps = {
  readonly children: ReactNode
  readonly help?: ReactNode
  readonly onClose: () => void
}

/** A box in the corner of the page, above dialogs, until it is closed. */
export const Corner = ({ children, help, onClose }: CornerProps) => (
  <section role="alert" aria-label={t('corner')} className={`${classes.place} ${classes.corner}`}>
    {children}
    <div className={classes.actions}>
      {help}
      <button type="button" className={classes.button} onClick={onClose}>
        {t('close')}
      </button>
    </div>
  </section>
)

/** The sentences without another place, in the corner. */
export const SaidInCorner = () => {
  const said = useSaid()
  if (said.length === 0) return null
  const isGone = said.some(({ why }) => why === 'gone')
  return (
    <Corner help={isGone && <Help why="gone" onAgain={forgetSaid} />} onClose={forgetSaid}>
      {said.map(({ message }) => (
        <p key={message}>{message}</p>
      ))}
    </Corner>
  )
}
