import { cases } from './chainCases.ts'
import { runCases } from './chainNetworks.ts'

runCases(cases)
