import { keyed, type ProblemWords } from "./problems.ts";
import type { Dictionary } from "./translate.ts";

/** The applicant's words in English. Other languages have the same keys; a missing one does not compile. */
export const en = {
  "app.test_mode": "Test",
  "app.test_mode_long": "Test session: use specimens, not your own document.",
  "app.language": "Language",
  "app.footer": "Identity check by Bonafide, run by {brand} itself.",
  "app.footer_plain": "Identity check by Bonafide.",
  "app.progress": "Step {n} of {total}",
  "app.loading": "One moment …",
  "app.offline": "You are offline. We go on by ourselves when you are connected again.",
  "app.skip": "Skip to the content",

  "start.title": "{brand} asks you to confirm who you are",
  "start.text": "It takes about two minutes. Have this ready:",
  "start.need.document": "Your identity document",
  "start.need.document_hint": "Valid and in your hands: {kinds}",
  "start.need.selfie": "Your face",
  "start.need.selfie_hint": "With the camera, to compare it with the document",
  "start.begin": "Start",
  "start.resume": "Go on",
  "start.opening": "Opening …",
  "start.until": "Nothing happens before you press Start. This link works until {date}.",
  "start.resume_title": "Go on where you left off",
  "start.resume_text": "Your verification for {brand} is open in this tab.",
  "start.outside.title": "Open this link in your browser first",
  "start.outside.copy": "Copy the link",
  "start.outside.copied": "Copied.",

  "kind.passport": "Passport",
  "kind.id_card": "Identity card",
  "kind.visa": "Visa",
  "kind.residence_permit": "Residence permit",
  "kind.driving_licence": "Driving licence",
  "kind.unknown": "Document",
  "kind.listed.passport": "passport",
  "kind.listed.id_card": "identity card",
  "kind.listed.visa": "visa",
  "kind.listed.residence_permit": "residence permit",
  "kind.listed.driving_licence": "driving licence",
  "kind.listed.unknown": "document",

  "consent.title": "May we compare your face with your document?",
  "consent.why_title": "Why",
  "consent.why":
    "To see that the document is yours. Your pictures and the photo on the document become lists of numbers, and these are compared. Where you are asked to move your head, it is also checked that you are there yourself and that the same recording was not sent before.",
  "consent.what_title": "What happens to it",
  "consent.what": "Everything stays on the servers of {brand}, encrypted. No other company receives your pictures.",
  "consent.kept_title": "How long it is kept",
  "consent.kept":
    "As long as {brand} needs it for this check and its legal duties; its privacy notice says how long. You can ask {brand} to erase it.",
  "consent.kept_test": "As long as whoever made this test session keeps it. Please do not show a document of your own.",
  "consent.agree": "I agree",
  "consent.decline": "I do not agree",
  "consent.note": "You are free to choose. If you do not agree, the check stops here and nothing is kept.",

  "choose.title": "Which document will you show?",
  "choose.text": "Take one that is valid and undamaged.",
  "choose.one_side": "One picture",
  "choose.two_sides": "Two pictures: front and back",

  "front.title.passport": "Photograph the photo page of your passport",
  "front.title.id_card": "Photograph the front of your identity card",
  "front.title.visa": "Photograph your visa",
  "front.title.residence_permit": "Photograph the front of your residence permit",
  "front.title.driving_licence": "Photograph the front of your driving licence",
  "front.title.unknown": "Photograph the front of your document",
  "back.title.id_card": "Now the back of your identity card",
  "back.title.residence_permit": "Now the back of your residence permit",
  "back.title.driving_licence": "Now the back of your driving licence",
  "back.title.unknown": "Now the back of your document",
  "document.text": "Lay it flat in even light. All four corners have to be in the picture.",
  "document.text_passport": "Open it flat in even light. The two code lines at the bottom have to be in the picture.",
  "document.text_back": "Turn it over and lay it flat. All four corners have to be in the picture.",
  "selfie.title": "Now a picture of your face",
  "selfie.text": "Look straight into the camera in even light. Take off sunglasses and anything that covers your face.",
  "capture.camera": "Open the camera",
  "capture.upload": "Choose a photo instead",
  "capture.upload_selfie": "Use a photo you take now",
  "capture.tries": { one: "{n} try left", other: "{n} tries left" },
  "capture.right": "This is what right looks like",
  "capture.again_title": "Let us try that again",
  "capture.camera_again": "Try again with the camera",

  "camera.label": "Camera picture",
  "camera.asking": "Your browser asks whether it may use the camera. Please allow it.",
  "camera.starting": "The camera starts …",
  "camera.hint.document_front": "Fit the whole document into the frame",
  "camera.hint.passport": "Fit the photo page with its code lines into the frame",
  "camera.hint.document_back": "Fit the back into the frame",
  "camera.hint.selfie": "Place your face in the oval and look into the camera",
  "camera.guide.closer": "Come closer",
  "camera.guide.back": "Move back a little: all four corners have to show",
  "camera.guide.coarse": "This camera shows too little detail. Choose a photo instead",
  "camera.guide.dark": "It is too dark here. Find more light",
  "camera.guide.bright": "There is too much light. Turn away from the lamp",
  "camera.guide.glare": "Light is reflected. Tilt the document a little",
  "camera.guide.backlit": "The light is behind you. Turn towards it",
  "camera.guide.still": "Hold still",
  "camera.guide.blurred": "Not sharp yet. Hold still",
  "camera.guide.hold": "Good. Hold still …",
  "camera.guide.lost": "Lay it on a plain, darker surface, or press the button yourself",
  "camera.shutter": "Take the picture",
  "camera.close": "Close the camera",
  "camera.switch": "Switch the camera",
  "camera.torch": "Light",
  "camera.upload": "Choose a photo",

  "live.title": "Now show that you are there",
  "live.text": {
    one: "Look into the camera and turn your head as the arrows say. It takes {n} second.",
    other: "Look into the camera and turn your head as the arrows say. It takes {n} seconds.",
  },
  "live.text_gentle": {
    one: "Two small movements, shown and spoken. It takes {n} second.",
    other: "Two small movements, shown and spoken. It takes {n} seconds.",
  },
  "live.note": "Pictures are taken only while you do this, and sent at the end. Nothing flashes.",
  "live.ways": "I cannot do this",
  "live.label": "Camera picture of your face",
  "live.aim": "Place your face in the oval",
  "live.begin": "I am ready",
  "live.again": "Start again",
  "live.cancel": "Cancel",
  "live.interrupted": "It was interrupted, and nothing was sent",
  "live.straight": "Look straight ahead",
  "live.back": "Back to the middle",
  "live.last": "Back to the middle. That was all",
  "live.move.left": "Turn your head to the left",
  "live.move.right": "Turn your head to the right",
  "live.move.up": "Turn your face up",
  "live.move.down": "Turn your face down",
  "live.move.closer": "Come closer to the camera",
  "live.gently.left": "Turn your head a little to the left",
  "live.gently.right": "Turn your head a little to the right",
  "live.gently.up": "Turn your face up a little",
  "live.gently.down": "Turn your face down a little",
  "live.gently.closer": "Come a little closer",
  "ways.title": "Which way suits you better?",
  "ways.text": "Both are fine. A person will look at what you send, so the result takes longer.",
  "ways.usual": "The usual movements",
  "ways.usual_hint": "Three or four movements of the head",
  "ways.gentle": "Smaller movements and more time",
  "ways.gentle_hint": "Two small movements, shown and spoken",
  "ways.person": "One picture, no movements",
  "ways.person_hint": "You take a picture of your face, as you can",
  "ways.back": "Back",

  "review.title.document": "Can you read every line?",
  "review.text.document": "No reflection, nothing cut off, nothing blurred.",
  "review.title.selfie": "Is your face sharp and well lit?",
  "review.text.selfie": "Eyes open, looking into the camera, only you in the picture.",
  "review.picture.document": "The picture of your document",
  "review.picture.selfie": "The picture of your face",
  "review.use": "Use this picture",
  "review.again": "Take it again",

  "sending.title": "Sending your picture",
  "sending.text": "Please keep this page open.",
  "sending.title_run": "Sending what was recorded",
  "sending.progress": "{part} sent",
  "sending.looking": "Sent. We take a first look at it …",
  "sending.paused_title": "Waiting for the connection",
  "sending.paused": "Your picture is safe on this page. It goes on by itself as soon as you are connected.",
  "sending.paused_run": "What was recorded is safe on this page. It goes on by itself as soon as you are connected.",

  "wait.title": "We are checking your pictures",
  "wait.text": "You have sent everything. This is not a result yet; it usually takes less than a minute.",
  "wait.sent": "Sent",
  "wait.checking": "Being checked",
  "wait.result": "Result",
  "wait.safe": "You can reload this page or come back to this tab later.",

  "review_result.title": "A person is looking at it",
  "review_result.text":
    "We could not decide this by machine. You have nothing more to do; {brand} will tell you the result.",
  "review_result.badge": "Being reviewed",
  "approved.title": "You are verified",
  "approved.text": "Your document and your picture belong together. You can close this page.",
  "approved.badge": "Verified",
  "declined.title": "We cannot verify you with this",
  "declined.text": "The check is finished and the answer is no.",
  "declined.badge": "Not verified",
  "declined.next": "What you can do",
  "declined.next_default": "Ask whoever sent you the link what to do next.",
  "expired.title": "This link has expired",
  "expired.text": "Ask whoever sent it for a new one.",
  "expired.badge": "Expired",
  "cancelled.title": "This verification was stopped",
  "cancelled.text": "Nothing more will be checked. You can close this page.",
  "cancelled.badge": "Stopped",
  "declined_consent.title": "You did not agree, so we stopped",
  "declined_consent.text": "Nothing was checked and no picture was taken. Ask whoever sent the link for another way.",
  "declined_consent.badge": "Stopped",
  "finished.title": "This verification is already finished",
  "finished.text": "There is nothing more to do here. Ask whoever sent you the link if you need the result.",
  "finished.badge": "Finished",
  "elsewhere.title": "Started in another browser or tab",
  "elsewhere.text":
    "To protect you, a verification stays in the tab where it was started. Go on there, or ask for a new link.",
  "elsewhere.badge": "Open elsewhere",
  "exhausted.title": "There are no tries left for this step",
  "exhausted.text": "A person will look at what you sent. You have nothing more to do.",
  "exhausted.badge": "Being reviewed",
  "notfound.title": "This link does not work",
  "notfound.text": "Check that you opened it completely, or ask whoever sent it for a new one.",
  "notfound.badge": "Unknown link",
  "failed.title": "Something went wrong on our side",
  "failed.text": "Nothing you sent is lost. Please try again in a moment.",
  "failed.retry": "Try again",
  "failed.request": "If it stays like this, tell {brand} this number: {id}",
  "result.return": "Go back to {host}",
  "result.reference": "Reference",
  "result.not_checked": "What was not checked",

  "notice.liveness_not_required":
    "This check did not ask for a live-person challenge: that a live person stood before the camera was not proved.",
  "notice.specimens_accepted":
    "This was a test: specimens count as documents here, so it says nothing about a real one.",

  "blocked.denied.title": "The camera is not allowed",
  "blocked.denied.text": "This page may not use the camera yet. Allow it like this:",
  "blocked.dismissed.title": "The question about the camera was closed",
  "blocked.dismissed.text": "Try again, and choose “Allow” when your browser asks.",
  "blocked.system.title": "Your device does not let the browser use the camera",
  "blocked.system.text": "Allow it in the settings of the device:",
  "blocked.unsupported.title": "This browser cannot use a camera",
  "blocked.unsupported.text": "It is too old for this. Update it, or use another one the next time.",
  "blocked.missing.title": "No camera was found",
  "blocked.missing.text": "Connect one and try again.",
  "blocked.busy.title": "Another app uses the camera",
  "blocked.busy.text": "Or it has stopped. Free it like this:",
  "blocked.busy.phone": "End calls, and close other apps that use the camera.|Come back here and try again.",
  "blocked.busy.desktop":
    "Leave video calls, and close other tabs and programs that use the camera.|Plug the camera in again if it has a cable.|Come back here and try again.",
  "blocked.insecure.title": "The camera needs a secure page",
  "blocked.insecure.text":
    "Browsers only lend the camera to pages that begin with https. Tell whoever sent you the link.",
  "blocked.inapp.title": "Open this page in your browser",
  "blocked.inapp.text":
    "The app that shows this page does not lend its camera. With a new link you can open it like this:",
  "blocked.outside.ios": "Tap “•••” or the share symbol.|Choose “Open in Safari” or “Open in browser”.",
  "blocked.outside.android": "Tap “⋮” or “•••” at the top.|Choose “Open in Chrome” or “Open in browser”.",
  "blocked.retry": "Try again",
  "blocked.steps.ios":
    "Tap the page menu beside the address.|Tap “Website Settings”, then “Camera”, then “Allow”.|Come back here and try again.",
  "blocked.steps.ios_other":
    "Open the Settings of your phone.|Find this browser in the list of apps and turn on “Camera”.|Come back here and try again.",
  "blocked.steps.samsung":
    "Tap the lock to the left of the address.|Tap “Permissions”, then “Camera”, then “Allow”.|Come back here and try again.",
  "blocked.steps.firefox_android":
    "Tap the lock to the left of the address.|Tap “Camera”, so that it is no longer blocked.|Come back here and try again.",
  "blocked.system.ios":
    "Open Settings, then “Privacy & Security”, then “Camera”.|Turn it on for this browser.|Come back here and try again.",
  "blocked.system.android":
    "Open Settings, then “Apps”, and choose this browser.|Tap “Permissions”, then “Camera”, and allow it.|Come back here and try again.",
  "blocked.system.mac":
    "Open System Settings, then “Privacy & Security”, then “Camera”.|Turn it on for this browser. If it has to restart, let it open its tabs again.|Come back here and try again.",
  "blocked.system.windows":
    "Open Settings, then “Privacy & security”, then “Camera”.|Turn on “Let desktop apps access your camera”.|Come back here and try again.",
  "blocked.system.other":
    "Look for the camera in the privacy settings of your system.|Allow it for this browser.|Come back here and try again.",
  "blocked.steps.android":
    "Tap the symbol to the left of the address.|Tap “Permissions” and turn on “Camera”.|Come back here and try again.",
  "blocked.steps.chromium":
    "Click the symbol to the left of the address.|Turn on “Camera” for this page.|Come back here and try again.",
  "blocked.steps.firefox":
    "Click the camera symbol to the left of the address.|Remove “Blocked” beside “Use the camera”.|Try again and choose “Allow”.",
  "blocked.steps.safari":
    "Open the menu “Safari”, then “Settings for This Website”.|Set “Camera” to “Allow”.|Come back here and try again.",

  "problem.capture.not_an_image.title": "This file is not a picture that we can open.",
  "problem.capture.not_an_image.remedy": "Send a JPEG, PNG or WebP photo.",

  "stop.open": "Stop the check",
  "stop.title": "Stop the check?",
  "stop.text": "It ends for good, and what you sent is not looked at. This cannot be undone.",
  "stop.yes": "Stop for good",
  "stop.no": "Go on with the check",
} as const satisfies Dictionary<string>;

export type Key = keyof typeof en;
export type Words = Dictionary<Key>;
type Own = Exclude<Key, `problem.${string}`>;

/** A language from its own words and its words for problems. */
export function withProblems(problems: ProblemWords, own: Dictionary<Own>): Words {
  const [title, remedy] = problems["capture.not_an_image"];
  return {
    ...keyed(problems),
    ...own,
    "problem.capture.not_an_image.title": title,
    "problem.capture.not_an_image.remedy": remedy,
  };
}

/** A language whose newest words may still be missing: those are shown in English. */
export const overEnglish = (problems: ProblemWords, own: Partial<Dictionary<Own>>): Words =>
  withProblems(problems, { ...en, ...own });
