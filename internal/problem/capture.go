package problem

// Problems of pictures as they are sent. All can be mended by a better picture, unless a row says otherwise.
var (
	// CaptureNotAnImage: the bytes are not a complete still picture in an accepted format.
	CaptureNotAnImage = register(Kind{
		Code: "capture.not_an_image", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "This file is not a picture that we can open.", Remedy: "Send a JPEG, PNG or WebP photo.",
		Reviewer: "The bytes are not a complete still JPEG, PNG or WebP.",
	})
	// CaptureHEIC: the bytes are a HEIC or AVIF picture, for which there is no decoder here.
	CaptureHEIC = register(Kind{
		Code: "capture.heic", Status: 422, Severity: Retry, Reader: Applicant,
		Title:    "This photo is in a format that we cannot open (HEIC).",
		Remedy:   "Take a photo here instead, or save it as a JPEG and send that.",
		Reviewer: "The bytes are a HEIC or AVIF picture.",
	})
	// CapturePDFEncrypted: a PDF file that opens with a password only.
	CapturePDFEncrypted = register(Kind{
		Code: "capture.pdf_encrypted", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "This PDF is protected with a password.", Remedy: "Send a copy without a password, or take a photo of the document.",
		Reviewer: "The PDF needs a password.",
	})
	// CapturePDFTooLarge: a PDF file with too many pages, or one that cannot be rendered within the limits of time and memory.
	CapturePDFTooLarge = register(Kind{
		Code: "capture.pdf_too_large", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "This PDF is too large to open.", Remedy: "Send only the page with your document, or take a photo of it.",
		Reviewer: "The PDF has more than 20 pages, or was not rendered within the limits of time and memory.",
	})
	// CapturePDFDamaged: a PDF file that cannot be opened or has a page that cannot be drawn.
	CapturePDFDamaged = register(Kind{
		Code: "capture.pdf_damaged", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "This PDF is damaged.", Remedy: "Save it again and send that, or take a photo of the document.",
		Reviewer: "The PDF cannot be opened, or one of its pages cannot be rendered.",
	})
	// CaptureTooManyPixels: the header claims more pixels than the limit.
	CaptureTooManyPixels = register(Kind{
		Code: "capture.too_many_pixels", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "This picture is too large to open.", Remedy: "Send a photo of at most 50 megapixels.",
		Reviewer: "The picture has more pixels than the limit.",
	})
	// CaptureTooSmall: the document or the picture has too few pixels to read.
	CaptureTooSmall = register(Kind{
		Code: "capture.too_small", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "The document is too small in the picture.", Remedy: "Move closer until the document fills the frame.",
		Reviewer: "The page is below the reader's size floor.",
	})
	// CaptureLowResolution: a picture from a file shows the document large, in too few pixels to read.
	CaptureLowResolution = register(Kind{
		Code: "capture.low_resolution", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "The picture has too few pixels to read.", Remedy: "Use the original photo, not a screenshot or a forwarded copy.",
		Reviewer: "The page fills the picture but has fewer pixels than the reader needs.",
	})
	// CaptureBlurred: the sharpest frame of an attempt is below the threshold.
	CaptureBlurred = register(Kind{
		Code: "capture.blurred", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "The picture is too blurred to read.", Remedy: "Hold the phone still, tap to focus, and try again.",
		Reviewer: "The picture is less sharp than the reader needs.",
	})
	// CaptureGlare: a reflection covers part of the page.
	CaptureGlare = register(Kind{
		Code: "capture.glare", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "A reflection covers part of the document.", Remedy: "Tilt the document a little or turn away from the lamp.",
		Reviewer: "Too much of the page is overexposed.",
	})
	// CaptureDark: the picture is too dark to read.
	CaptureDark = register(Kind{
		Code: "capture.dark", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "The picture is too dark.", Remedy: "Go where there is more light and try again.",
		Reviewer: "The mean brightness is below the threshold.",
	})
	// CaptureNoColour: the picture was taken or stored in black and white.
	CaptureNoColour = register(Kind{
		Code: "capture.no_colour", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "The picture is in black and white.", Remedy: "Take the picture in colour.",
		Reviewer: "The whole picture has no colour.",
	})
	// CaptureFromFile: the workflow takes pictures of the camera only.
	CaptureFromFile = register(Kind{
		Code: "capture.from_file", Status: 422, Reader: Applicant,
		Title: "A photo from a file is not accepted here.", Remedy: "Take the picture now, with the camera of this device or of a phone.",
	})
	// CaptureCutOff: a side of the document is outside the picture.
	CaptureCutOff = register(Kind{
		Code: "capture.cut_off", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "Part of the document is outside the picture.", Remedy: "Move back until all four corners are in the frame.",
		Reviewer: "A text line or page edge is cut off.",
	})
	// CaptureNoDocument: no document was found in the picture.
	CaptureNoDocument = register(Kind{
		Code: "capture.no_document", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "We could not find a document in the picture.", Remedy: "Lay the document flat and fill the frame with it.",
		Reviewer: "No page, text or machine-readable zone was found.",
	})
	// CaptureFaceInstead: the picture shows a face where a document was asked for.
	CaptureFaceInstead = register(Kind{
		Code: "capture.face_instead", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "This shows a face, not a document.", Remedy: "Photograph the document now. Your face comes later.",
		Reviewer: "There is a large face and no print: no document is in view.",
	})
	// CaptureMirrored: the picture of the document is mirrored.
	CaptureMirrored = register(Kind{
		Code: "capture.mirrored", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "The picture is mirrored.", Remedy: "Take it with the camera on the back of the phone, or turn mirroring off.",
		Reviewer: "The text can only be read when the picture is mirrored.",
	})
	// CaptureAskedAgain: a step is asked for once more, and no check says why.
	CaptureAskedAgain = register(Kind{
		Code: "capture.asked_again", Status: 422, Reader: Applicant,
		Title: "We need this picture once more.", Remedy: "Take it again in even light, sharp and complete.",
	})
	// CaptureSeveralDocuments: more than one document is in view.
	CaptureSeveralDocuments = register(Kind{
		Code: "capture.several_documents", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "There is more than one document in the picture.", Remedy: "Put only one document in the frame.",
		Reviewer: "More than one document is in view.",
	})
	// CaptureWrongSide: the front was asked for and the back was sent, or the other way round.
	CaptureWrongSide = register(Kind{
		Code: "capture.wrong_side", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "This is the other side of the document.", Remedy: "Turn the document over and try again.",
		Reviewer: "The side in the picture is not the one asked for.",
	})
	// CaptureSameSideTwice: front and back are pictures of the same side.
	CaptureSameSideTwice = register(Kind{
		Code: "capture.same_side_twice", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "Both pictures show the same side.", Remedy: "Turn the document over and photograph the other side.",
		Reviewer: "Front and back are the same side.",
	})
	// CaptureNoFace: no face was found.
	CaptureNoFace = register(Kind{
		Code: "capture.no_face", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "We could not find your face in the picture.", Remedy: "Hold the phone at eye level and look into the camera.",
		Reviewer: "No face was found in the selfie.",
	})
	// CaptureSeveralFaces: more than one face is in the selfie.
	CaptureSeveralFaces = register(Kind{
		Code: "capture.several_faces", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "There is more than one face in the picture.", Remedy: "Make sure that only you are in the frame.",
		Reviewer: "More than one face is in the selfie.",
	})
	// CaptureFaceTooSmall: the face has too few pixels to compare.
	CaptureFaceTooSmall = register(Kind{
		Code: "capture.face_too_small", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "Your face is too far away.", Remedy: "Bring the phone closer until your face fills the oval.",
		Reviewer: "The face is too small to compare.",
	})
	// CaptureFaceTurned: the head is turned too far to compare.
	CaptureFaceTurned = register(Kind{
		Code: "capture.face_turned", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "Your face is turned away.", Remedy: "Look straight into the camera.",
		Reviewer: "The head is turned too far to compare.",
	})
	// CaptureEyesClosed: the eyes are closed in the selfie.
	CaptureEyesClosed = register(Kind{
		Code: "capture.eyes_closed", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "Your eyes are closed in the picture.", Remedy: "Keep your eyes open and try again.",
		Reviewer: "The eyes are closed, or nearly closed.",
	})
	// CaptureAttemptReused: the attempt id was sent before with other bytes.
	CaptureAttemptReused = register(Kind{
		Code: "capture.attempt_reused", Status: 409, Reader: Applicant,
		Title: "This try was already sent with another picture.", Remedy: "Take the picture again.",
	})
	// CaptureUploadOffset: a part of an upload begins before or after the end of what is there.
	CaptureUploadOffset = register(Kind{
		Code: "capture.upload_offset", Status: 409, Reader: Integrator,
		Title: "The part does not begin where the upload ends.", Remedy: "Ask how much of the upload has arrived, and continue from that byte.",
	})
	// CaptureUploadIncomplete: a step names an upload that has another length than it says.
	CaptureUploadIncomplete = register(Kind{
		Code: "capture.upload_incomplete", Status: 409, Reader: Integrator,
		Title: "The upload is not complete.", Remedy: "Send the bytes that are missing, then the step again.",
	})
	// CaptureOutOfOrder: the step is not the one that the session asked for.
	CaptureOutOfOrder = register(Kind{
		Code: "capture.out_of_order", Status: 409, Reader: Applicant,
		Title: "Another step comes first.", Remedy: "Continue with the step on the screen.",
	})
)
