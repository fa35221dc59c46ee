import { Button } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { common } from '../i18n/common.ts'
import classes from './EmptyState.module.css'

type Props = { readonly message: string; readonly onRetry: () => void; readonly retrying: boolean }

/** Says what could not be loaded, with Retry. */
export const ErrorState = ({ message, onRetry, retrying }: Props) => (
  <div className={classes.empty} role="alert">
    <IconCloudOff size={34} stroke={1.4} aria-hidden />
    <p className={classes.title}>{message}</p>
    <p className={classes.text}>{common('moneySafe')}</p>
    <Button variant="default" size="sm" loading={retrying} onClick={onRetry}>
      {common('retry')}
    </Button>
  </div>
)
