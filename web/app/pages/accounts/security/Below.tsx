import { Mails } from './Mails.tsx'
import { Morning } from './Morning.tsx'
import { OwnData } from './OwnData.tsx'
import { ReadingKeys } from './ReadingKeys.tsx'
import { Sessions } from './Sessions.tsx'

/** The parts of the security page below the first screen, in one piece of code that comes later. */
export const Below = ({ isStaff }: { isStaff: boolean }) => (
  <>
    <Sessions />
    <ReadingKeys />
    {isStaff ? <Morning /> : <Mails />}
    <OwnData mayClose={!isStaff} />
  </>
)
