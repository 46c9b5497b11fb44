type object = map[string]any

// florin sends a request and returns the document. It panics with the first error of a refused request.
func florin(method, path string, body any) object {
	var content io.Reader
	if body != nil {
		text, _ := json.Marshal(body)
		content = bytes.NewReader(text)
	}
	request, _ := http.NewRequest(method, os.Getenv("BASE")+path, content)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY")) // a secret key
	request.Header.Set("User-Agent", "my-shop/1.0")
	request.Header.Set("Content-Type", "application/vnd.api+json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	document := object{}
	json.NewDecoder(response.Body).Decode(&document)
	if errors, refused := document["errors"].([]any); refused {
		panic(fmt.Sprint(errors[0].(object)["code"], ": ", errors[0].(object)["detail"]))
	}
	return document
}

// id returns the id of a document's record.
func id(document object) string {
	return document["data"].(object)["id"].(string)
}
