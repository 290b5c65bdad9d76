export { ModelThread } from './model-thread.js'
export { BadModel, DoesNotFit, ModelsBusy, ModelTooLarge, ModelWorkFailed } from './errors.js'
export type {
  BedArea, ModelFormat, ModelPart, ModelProblem, ModelReport, PlacedInstance, PlacedPart, Placement, PlacePlan,
  PlatePictures
} from './types.js'
