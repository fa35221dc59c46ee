import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { Subject } from '../../api/requests/stories.ts'
import { dialogOnDemand } from '../../loading/onDemand.tsx'
import { useSessionUser } from '../../session/store.ts'

const StoryPanel = dialogOnDemand(async () => (await import('./StoryPanel.tsx')).StoryPanel)

const subjectIn = (parameters: URLSearchParams): Subject | null => {
  for (const kind of ['transaction', 'investment'] as const) {
    const id = parameters.get(kind)
    if (id) return { kind, id }
  }
  return null
}

/** Shows the story that the URL names, beside any page. */
export const Stories = () => {
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  // The trails of the lists behind the panel stay in the state.
  const { state } = useLocation()
  const user = useSessionUser()
  const subject = user && subjectIn(parameters)
  const close = () => {
    const rest = new URLSearchParams(parameters)
    rest.delete('transaction')
    rest.delete('investment')
    void navigate({ search: rest.size > 0 ? `?${rest}` : '' }, { preventScrollReset: true, state })
  }
  return subject && <StoryPanel subject={subject} onClose={close} />
}
