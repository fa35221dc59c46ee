import { Button } from '@mantine/core'
import { t } from '../i18n/lists.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import type { ListState } from './state.ts'

/** What stands in a list when search and filters leave nothing of it. */
export const NothingMatches = ({ state }: { state: ListState }) => (
  <EmptyState
    title={t('nothingMatches')}
    text={t('nothingMatches.text')}
    action={
      <Button variant="default" size="sm" onClick={state.clear}>
        {t('showAll')}
      </Button>
    }
  />
)
