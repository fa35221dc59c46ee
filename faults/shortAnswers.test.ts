import { runCases } from './chainNetworks.ts'
import { shortAnswers } from './shortAnswers.ts'

runCases(shortAnswers)
