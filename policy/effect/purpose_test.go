package effect

import "testing"

func TestPurposeOfAName(t *testing.T) {
	for name, want := range map[string]Purpose{
		"app_test": ForTests, "test_app": ForTests, "appTest": ForTests, "AppTest2": ForTests, "orders-test-*": ForTests, "test*": ForTests, "tmp_orders": ForTests,
		"e2e": ForTests, "shop.e2e.orders": ForTests, "ci": ForTests, "TESTING": ForTests, "$TEST_DATABASE_URL": ForTests, "testdb": ForTests,
		"latest": 0, "contest": 0, "attestation": 0, "testimonials": 0, "temperature": 0, "*test": 0, ".*test.*": 0, "exampled": 0, "ciao": 0, "shop": 0, "": 0, "devices": 0, "products": 0, "alive": 0, "localhost": 0, "prüftest": 0,
		"app_dev": ForWork, "dev.db": ForWork, "app_development": ForWork,
		"prod": ForUse, "shop-production-1": ForUse, "prod2": ForUse, "*prod*": ForUse, "Prod": ForUse,
		"prod_test": ForUse | ForTests, "test-live": ForUse | ForTests,
	} {
		if got := PurposeOf(name); got != want {
			t.Errorf("%q: %b, want %b", name, got, want)
		}
	}
}

func FuzzPurposeOf(f *testing.F) {
	f.Add("app_test")
	f.Add("*9é")
	f.Fuzz(func(_ *testing.T, name string) { PurposeOf(name) })
}
